-- unsafe at: rc
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE PROCEDURE p(INOUT x int) LANGUAGE plpgsql AS $$ BEGIN SELECT n INTO x FROM t WHERE id = 1; END $$;
CREATE FUNCTION f(i int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE z int := 0; BEGIN CALL p(z); IF z > 0 THEN UPDATE t SET n = 0 WHERE id = i; END IF; END $$;
