-- unsafe at: rc si
-- The trigger that kept rows out goes with its function.
CREATE SCHEMA app;
CREATE TABLE t (id serial PRIMARY KEY, e text);
CREATE FUNCTION app.never() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER never BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION app.never();
DROP SCHEMA app CASCADE;
CREATE FUNCTION f(x text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT 1 FROM t WHERE e = x) THEN INSERT INTO t(e) VALUES (x); END IF; END $$;
