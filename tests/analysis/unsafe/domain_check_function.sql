-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION ok(v int) RETURNS boolean LANGUAGE sql AS $$ SELECT v >= 0 OR sum(n) + v >= 0 FROM t $$;
CREATE DOMAIN amount AS int CHECK (ok(VALUE));
CREATE TABLE u (id serial PRIMARY KEY, a amount);
CREATE FUNCTION f(i int) RETURNS void LANGUAGE sql AS $$ INSERT INTO u(a) VALUES (i) $$;
CREATE FUNCTION g(i int, k int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT count(*) INTO v FROM u; UPDATE t SET n = v WHERE id = i; END $$;
