-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; r record; BEGIN SELECT sum(x.n) INTO v FROM t a, LATERAL (SELECT n FROM t b WHERE b.id = a.n) x WHERE a.id = j; IF v > 0 THEN UPDATE t SET n = 0 WHERE id = i; END IF; END $$;
