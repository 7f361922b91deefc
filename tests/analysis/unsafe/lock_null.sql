-- unsafe at: rc
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; k int; BEGIN PERFORM pg_advisory_xact_lock(k); SELECT n INTO v FROM t WHERE id = j; UPDATE t SET n = v + 1 WHERE id = i; END $$;
