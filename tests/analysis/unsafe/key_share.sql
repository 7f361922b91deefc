-- unsafe at: rc
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT n INTO v FROM t WHERE id = i FOR KEY SHARE; UPDATE t SET n = v + 1 WHERE id = i; END $$;
