-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; r record; BEGIN WITH RECURSIVE c(x) AS (SELECT n FROM t WHERE id = j UNION ALL SELECT x - 1 FROM c WHERE x > 0) SELECT count(*) INTO v FROM c; IF v > 0 THEN UPDATE t SET n = 0 WHERE id = i; END IF; END $$;
