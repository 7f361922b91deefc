-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS SETOF int LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT n INTO v FROM t WHERE id = j; IF v > 0 THEN RETURN QUERY UPDATE t SET n = 0 WHERE id = i RETURNING n; END IF; END $$;
