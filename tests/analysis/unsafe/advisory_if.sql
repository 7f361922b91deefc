-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int, b bool) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN IF b THEN PERFORM pg_advisory_xact_lock(1); END IF; SELECT n INTO v FROM t WHERE id = j; UPDATE t SET n = v + 1 WHERE id = i; END $$;
