-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION g(x int) RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT n FROM t WHERE id = x; END;
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; r record; BEGIN v := g(j); IF v > 0 THEN UPDATE t SET n = 0 WHERE id = i; END IF; END $$;
