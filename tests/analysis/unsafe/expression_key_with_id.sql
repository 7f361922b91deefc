-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, e text NOT NULL); CREATE UNIQUE INDEX u ON t (upper(e), id);
CREATE FUNCTION f(x text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT FROM t WHERE upper(e) = upper(x)) THEN INSERT INTO t (e) VALUES (x); END IF; END $$;
