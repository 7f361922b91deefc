-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, a int NOT NULL, b int NOT NULL, UNIQUE (a, b));
CREATE FUNCTION f(x int, y int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT FROM t WHERE a = x) THEN INSERT INTO t (a, b) VALUES (x, y); END IF; END $$;
