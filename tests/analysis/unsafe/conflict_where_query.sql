-- unsafe at: si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE sql AS $$ INSERT INTO t VALUES (i, 1) ON CONFLICT (id) DO UPDATE SET n = 0 WHERE EXISTS (SELECT 1 FROM t x WHERE x.id = j AND x.n > 0) $$;
