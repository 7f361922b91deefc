-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, e text NOT NULL, gone boolean NOT NULL DEFAULT false); CREATE UNIQUE INDEX u ON t (e) WHERE NOT gone;
CREATE FUNCTION f(x text, y boolean) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT FROM t WHERE e = x AND NOT gone) THEN INSERT INTO t (e, gone) VALUES (x, y); END IF; END $$;
CREATE FUNCTION g(i int) RETURNS void LANGUAGE sql AS $$ UPDATE t SET gone = true WHERE id = i $$;
