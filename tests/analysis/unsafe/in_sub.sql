-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; r record; BEGIN SELECT count(*) INTO v FROM t WHERE id IN (SELECT n FROM t WHERE id = j); IF v > 0 THEN UPDATE t SET n = 0 WHERE id = i; END IF; END $$;
