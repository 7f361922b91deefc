-- unsafe at: rc si
CREATE TYPE pt AS (x int, y int); CREATE TABLE t (id int PRIMARY KEY, p pt NOT NULL);
CREATE FUNCTION f(a int, b int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT (p).x INTO v FROM t WHERE id = a; UPDATE t SET p.x = v + 1 WHERE id = b; END $$;
