-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; r record; BEGIN SELECT n INTO v FROM t WHERE id = j; IF v > 0 THEN UPDATE t SET n = q.k FROM (VALUES (1),(2)) AS q(k) WHERE t.id = q.k; END IF; END $$;
