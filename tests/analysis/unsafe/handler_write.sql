-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT n INTO v FROM t WHERE id = j; BEGIN v := 1 / v; EXCEPTION WHEN division_by_zero THEN UPDATE t SET n = 1 WHERE id = i; END; END $$;
