-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, e text NOT NULL, kind text NOT NULL); CREATE UNIQUE INDEX u ON t (e) WHERE kind = 'a';
CREATE FUNCTION f(x text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT FROM t WHERE e = x AND kind = 'a') THEN INSERT INTO t (e, kind) VALUES (x, 'b'); END IF; END $$;
CREATE FUNCTION g(x text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT FROM t WHERE e = x AND kind = 'b') THEN INSERT INTO t (e, kind) VALUES (x, 'a'); END IF; END $$;
