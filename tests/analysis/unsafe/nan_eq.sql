-- unsafe at: rc si
CREATE TABLE t (id numeric PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT n INTO v FROM t WHERE id = 'NaN'; UPDATE t SET n = v + 1 WHERE id = 'nan'; END $$;
