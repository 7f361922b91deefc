-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE x int; BEGIN BEGIN SELECT n INTO STRICT x FROM t WHERE id = j; EXCEPTION WHEN OTHERS THEN x := 0; END; UPDATE t SET n = x WHERE id = i; END $$;
