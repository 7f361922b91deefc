-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION g(x int) RETURNS SETOF int LANGUAGE sql AS 'SELECT n FROM t WHERE id = x';
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; r record; BEGIN SELECT sum(g) INTO v FROM g(j); IF v > 0 THEN UPDATE t SET n = 0 WHERE id = i; END IF; END $$;
