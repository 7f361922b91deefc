-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL); CREATE TABLE s (k int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION g(d int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN UPDATE t SET n = 0 WHERE id = d; RETURN 1; END $$;
CREATE FUNCTION f(i int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE x int; BEGIN SELECT n INTO x FROM t WHERE id = i; IF x > 0 THEN PERFORM g(s.n) FROM s; END IF; END $$;
