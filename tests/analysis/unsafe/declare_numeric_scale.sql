-- unsafe at: rc
CREATE TABLE t (id numeric PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(p numeric) RETURNS void LANGUAGE plpgsql AS $$ DECLARE k numeric(5,1) := p; v int; BEGIN
 IF p = 1.04 THEN SELECT n INTO v FROM t WHERE id = k; UPDATE t SET n = v + 1 WHERE id = 1.0; END IF; END $$;
