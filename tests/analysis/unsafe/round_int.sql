-- unsafe at: rc
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ DECLARE k int := 1.4; v int; BEGIN SELECT n INTO v FROM t WHERE id = 1; UPDATE t SET n = v + 1 WHERE id = k; END $$;
