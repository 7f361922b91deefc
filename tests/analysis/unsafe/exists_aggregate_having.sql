-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, g int NOT NULL);
CREATE FUNCTION f(k int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
IF NOT EXISTS (SELECT count(*) FROM t WHERE g = k HAVING count(*) >= 10) THEN INSERT INTO t(g) VALUES (k); END IF; END $$;
