-- unsafe at: rc
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN BEGIN PERFORM pg_advisory_xact_lock(1); RAISE EXCEPTION 'x'; EXCEPTION WHEN OTHERS THEN NULL; END; SELECT n INTO v FROM t WHERE id = j; UPDATE t SET n = v + 1 WHERE id = i; END $$;
