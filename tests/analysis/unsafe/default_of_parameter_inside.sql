-- unsafe at: rc si
CREATE TABLE sub (org int NOT NULL, who int);
CREATE FUNCTION nsub() RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM sub $$;
CREATE FUNCTION ins(p int, k bigint DEFAULT nsub()) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF k = 0 THEN INSERT INTO sub VALUES (p, 1); END IF; END $$;
CREATE FUNCTION a(p int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN PERFORM ins(p); END $$;
