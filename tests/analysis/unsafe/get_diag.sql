-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN PERFORM 1 FROM t WHERE id = j AND n > 0; GET DIAGNOSTICS v = ROW_COUNT; IF v > 0 THEN UPDATE t SET n = 0 WHERE id = i; END IF; END $$;
