-- unsafe at: rc
CREATE TABLE t (id float8 PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(p float8) RETURNS void LANGUAGE plpgsql AS $$ DECLARE k float8; v int; BEGIN
 k := p + 1e-30; SELECT n INTO v FROM t WHERE id = p; UPDATE t SET n = v + 1 WHERE id = k; END $$;
