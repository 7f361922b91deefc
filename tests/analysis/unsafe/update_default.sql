-- unsafe at: rc si
CREATE SEQUENCE q; CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL DEFAULT 5);
CREATE FUNCTION f(a int, b int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF (SELECT n FROM t WHERE id = a) <> 5 THEN UPDATE t SET n = DEFAULT WHERE id = b; END IF; END $$;
