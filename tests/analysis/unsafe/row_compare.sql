-- unsafe at: rc si
CREATE TABLE t (a int, b int, n int NOT NULL, PRIMARY KEY (a, b));
CREATE FUNCTION f(x int, y int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT max(n) INTO v FROM t WHERE (a, b) > (x, y); UPDATE t SET n = v + 1 WHERE (a, b) = (x, y); END $$;
