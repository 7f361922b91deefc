-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION total() RETURNS bigint LANGUAGE sql AS $$ SELECT sum(n) FROM t $$;
ALTER TABLE t ADD CHECK (n >= 0 OR total() + n >= 0);
CREATE FUNCTION f(i int, k int) RETURNS void LANGUAGE sql AS $$ UPDATE t SET n = k WHERE id = i $$;
