-- unsafe at: si
CREATE TABLE t (id serial PRIMARY KEY, e text NOT NULL UNIQUE); CREATE TABLE u (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(x text) RETURNS int LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT n INTO v FROM u WHERE id = 1; INSERT INTO t(e) VALUES (x); RETURN v; END $$;
CREATE FUNCTION g(i int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN DELETE FROM t WHERE id = i; UPDATE u SET n = n + 1 WHERE id = 1; END $$;
