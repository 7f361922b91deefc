-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL); CREATE TABLE e (k int PRIMARY KEY);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN PERFORM pg_advisory_xact_lock(1) FROM e; SELECT n INTO v FROM t WHERE id = j; UPDATE t SET n = v + 1 WHERE id = i; END $$;
