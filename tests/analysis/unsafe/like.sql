-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, email text NOT NULL);
CREATE FUNCTION f(e text) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT count(*) INTO v FROM t WHERE email ILIKE e; IF v = 0 THEN INSERT INTO t(email) VALUES (e); END IF; END $$;
