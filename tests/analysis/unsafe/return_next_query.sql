-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS SETOF int LANGUAGE plpgsql AS $$ BEGIN UPDATE t SET n = 0 WHERE id = i; RETURN NEXT (SELECT n FROM t WHERE id = j); END $$;
