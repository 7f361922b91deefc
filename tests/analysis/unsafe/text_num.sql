-- unsafe at: rc si
CREATE TABLE t (id text PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i text, j text) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT n INTO v FROM t WHERE id::int = j::int; IF v > 0 AND i <> j THEN UPDATE t SET n = 0 WHERE id = i; END IF; END $$;
