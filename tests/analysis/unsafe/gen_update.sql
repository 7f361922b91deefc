-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, a int NOT NULL, b int NOT NULL, s int GENERATED ALWAYS AS (a + b) STORED);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE n int; BEGIN
 SELECT s INTO n FROM t WHERE id = i; IF n > 0 THEN UPDATE t SET a = 0 WHERE id = j; END IF; END $$;
