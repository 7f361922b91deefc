-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, email text NOT NULL, n int NOT NULL); CREATE UNIQUE INDEX u ON t(lower(email));
CREATE FUNCTION f(e text, o text) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT n INTO v FROM t WHERE email = o; INSERT INTO t(email,n) VALUES (e, v) ON CONFLICT (lower(email)) DO UPDATE SET n = v; END $$;
