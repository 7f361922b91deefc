-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, e text NOT NULL UNIQUE);
CREATE FUNCTION f(a text, b text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT FROM t WHERE e = a) THEN INSERT INTO t (e) VALUES (b); END IF; END $$;
