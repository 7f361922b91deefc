-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE x int; BEGIN EXECUTE 'SELECT n FROM t WHERE id = $1' INTO x USING j; UPDATE t SET n = x WHERE id = i; END $$;
