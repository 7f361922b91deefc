-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int);
CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql SET transform_null_equals = on AS $$
BEGIN IF EXISTS (SELECT 1 FROM t WHERE id = 1 AND n = NULL) THEN UPDATE t SET n = 1 WHERE id = 2; END IF; END $$;
CREATE FUNCTION g() RETURNS void LANGUAGE plpgsql SET transform_null_equals = on AS $$
BEGIN IF EXISTS (SELECT 1 FROM t WHERE id = 2 AND n = NULL) THEN UPDATE t SET n = 1 WHERE id = 1; END IF; END $$;
