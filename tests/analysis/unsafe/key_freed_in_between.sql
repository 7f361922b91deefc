-- unsafe at: rc
CREATE TABLE t (id serial PRIMARY KEY, e text NOT NULL UNIQUE);
CREATE FUNCTION f(a text) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN SELECT count(*) INTO n FROM t WHERE e = a; DELETE FROM t WHERE e = a; INSERT INTO t (e) VALUES (a); RETURN n; END $$;
