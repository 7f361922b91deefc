-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN LOOP EXIT WHEN (SELECT n FROM t WHERE id = j) > 0; UPDATE t SET n = 7 WHERE id = i; EXIT; END LOOP; END $$;
