-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; r record; BEGIN SELECT count(*) INTO v FROM t a FULL JOIN t b ON a.id = b.n WHERE b.n = j; IF v > 0 THEN UPDATE t SET n = 0 WHERE id = i; END IF; END $$;
