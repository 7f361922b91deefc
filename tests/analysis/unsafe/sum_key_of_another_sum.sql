-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, a int NOT NULL, b int NOT NULL); CREATE UNIQUE INDEX u ON t ((a + b));
CREATE FUNCTION f(x int, y int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT FROM t WHERE a + b = x + y) THEN INSERT INTO t (a, b) VALUES (x, x); END IF; END $$;
