-- unsafe at: rc
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN
 IF i > j AND EXISTS (SELECT n FROM t WHERE id = j FOR UPDATE) THEN NULL; END IF; SELECT n INTO v FROM t WHERE id = j; UPDATE t SET n = v + 1 WHERE id = j; END $$;
