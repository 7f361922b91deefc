-- unsafe at: si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS int LANGUAGE sql AS $$ UPDATE t SET n = 0 WHERE id = i RETURNING (SELECT n FROM t x WHERE x.id = j) $$;
