-- safe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, e text NOT NULL, gone timestamptz); CREATE UNIQUE INDEX u ON t (e) WHERE gone IS NULL;
CREATE FUNCTION f(x text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT FROM t WHERE e = x AND gone IS NULL) THEN INSERT INTO t (e) VALUES (x); END IF; END $$;
CREATE FUNCTION g(i int) RETURNS void LANGUAGE sql AS $$ UPDATE t SET gone = now() WHERE id = i $$;
