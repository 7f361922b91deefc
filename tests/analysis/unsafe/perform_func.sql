-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION g(x int) RETURNS void LANGUAGE sql AS 'UPDATE t SET n = 0 WHERE id = x';
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; r record; BEGIN SELECT n INTO v FROM t WHERE id = j; IF v > 0 THEN PERFORM g(i); END IF; END $$;
