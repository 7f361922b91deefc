-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL, g int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; r record; BEGIN SELECT n INTO v FROM t WHERE id = j;
 IF v = 0 THEN FOR r IN UPDATE t SET n = 1 WHERE id = i RETURNING * LOOP PERFORM 1; END LOOP; END IF; END $$;
