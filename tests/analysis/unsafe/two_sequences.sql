-- unsafe at: rc si
CREATE SEQUENCE s; CREATE SEQUENCE r;
CREATE TABLE t (id serial PRIMARY KEY, a int NOT NULL);
CREATE FUNCTION f() RETURNS bigint LANGUAGE plpgsql AS $$ DECLARE v int; n bigint; BEGIN INSERT INTO t(a) VALUES (nextval('s')) RETURNING a INTO v; SELECT count(*) INTO n FROM t WHERE a = v; RETURN n; END $$;
CREATE FUNCTION g() RETURNS bigint LANGUAGE plpgsql AS $$ DECLARE v int; n bigint; BEGIN INSERT INTO t(a) VALUES (nextval('r')) RETURNING a INTO v; SELECT count(*) INTO n FROM t WHERE a = v; RETURN n; END $$;
