-- safe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, e text NOT NULL); CREATE UNIQUE INDEX u ON t (lower(e));
CREATE FUNCTION f(x text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT FROM t WHERE lower(e) = lower(x)) THEN INSERT INTO t (e) VALUES (x); END IF; END $$;
