-- unsafe at: rc si
CREATE TABLE t (id int, n int);
CREATE TABLE IF NOT EXISTS t (id int PRIMARY KEY, n int);
CREATE FUNCTION f(x int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT 1 FROM t WHERE id = x) THEN INSERT INTO t(id) VALUES (x); END IF; END $$;
