-- unsafe at: rc si
CREATE TABLE sub (org int NOT NULL, who int);
CREATE FUNCTION nsub() RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM sub $$;
CREATE PROCEDURE ins(a int DEFAULT 1, k bigint DEFAULT nsub(), p int DEFAULT 2) LANGUAGE plpgsql AS $$ BEGIN IF k = 0 THEN INSERT INTO sub VALUES (p, a); END IF; END $$;
CREATE FUNCTION f(x int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN CALL ins(p => x); END $$;
