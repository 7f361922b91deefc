-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION every(i int) RETURNS int LANGUAGE sql AS $$ SELECT n FROM t WHERE id = i $$;
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN v := every(j); UPDATE t SET n = v WHERE id = i; END $$;
