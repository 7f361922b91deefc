-- unsafe at: rc
CREATE TABLE t (id money PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT n INTO v FROM t WHERE id = '1.00'; UPDATE t SET n = v + 1 WHERE id = '$1'; END $$;
