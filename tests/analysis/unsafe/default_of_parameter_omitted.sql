-- unsafe at: rc si
CREATE TABLE sub (org int NOT NULL, who int);
CREATE FUNCTION nsub() RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM sub $$;
CREATE FUNCTION ins(p int, k bigint DEFAULT nsub()) RETURNS void LANGUAGE sql AS $$ INSERT INTO sub SELECT p, 1 WHERE k = 0 $$;
