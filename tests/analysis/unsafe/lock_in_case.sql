-- unsafe at: rc
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; w int; BEGIN
 w := CASE WHEN i > j THEN (SELECT n FROM t WHERE id = j FOR UPDATE) ELSE 0 END; SELECT n INTO v FROM t WHERE id = j; UPDATE t SET n = v + 1 WHERE id = i; END $$;
