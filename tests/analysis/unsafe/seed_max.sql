-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, k int NOT NULL); INSERT INTO t VALUES (5, 5);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE x int; BEGIN SELECT max(k) INTO x FROM t; IF x = 5 THEN INSERT INTO t VALUES (i, 7); END IF; END $$;
