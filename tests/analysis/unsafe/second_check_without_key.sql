-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, e text NOT NULL UNIQUE, f text NOT NULL);
CREATE FUNCTION f(a text, b text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT FROM t WHERE e = a) AND NOT EXISTS (SELECT FROM t WHERE f = b) THEN INSERT INTO t (e, f) VALUES (a, b); END IF; END $$;
