-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN FOR k IN 1..(SELECT n FROM t WHERE id = j) LOOP UPDATE t SET n = 7 WHERE id = i; END LOOP; END $$;
