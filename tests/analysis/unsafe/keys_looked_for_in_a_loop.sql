-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, a int NOT NULL UNIQUE);
CREATE FUNCTION f(x int[]) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int; s int := 0; i int; BEGIN FOREACH i IN ARRAY x LOOP SELECT count(*) INTO n FROM t WHERE a = i; s := s + n; END LOOP; INSERT INTO t (a) VALUES (x[1]); RETURN s; END $$;
CREATE FUNCTION g(i int) RETURNS void LANGUAGE sql AS $$ DELETE FROM t WHERE a = i $$;
