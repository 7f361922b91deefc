-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN CASE (SELECT n FROM t WHERE id = j) WHEN 1 THEN UPDATE t SET n = 7 WHERE id = i; ELSE NULL; END CASE; END $$;
