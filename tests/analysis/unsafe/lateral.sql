-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; r record; BEGIN SELECT x.n INTO v FROM (VALUES (1)) q(k), LATERAL (SELECT n FROM t WHERE t.id = q.k) x; IF v > 0 THEN UPDATE t SET n = 0 WHERE id = i; END IF; END $$;
