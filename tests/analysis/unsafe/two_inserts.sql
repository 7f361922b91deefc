-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, a int NOT NULL);
CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN SELECT count(*) INTO n FROM t; IF n = 0 THEN INSERT INTO t(a) VALUES (1); INSERT INTO t(a) VALUES (2); END IF; END $$;
