-- unsafe at: rc
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN PERFORM pg_advisory_xact_lock(1); SELECT n INTO v FROM t WHERE id = j; UPDATE t SET n = v + 1 WHERE id = i; END $$;
CREATE FUNCTION g(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN PERFORM pg_advisory_xact_lock(1, 1); SELECT n INTO v FROM t WHERE id = j; UPDATE t SET n = v + 1 WHERE id = i; END $$;
