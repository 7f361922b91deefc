-- unsafe at: rc si
-- The default goes with the sequence: two rows without a number.
CREATE SEQUENCE s;
CREATE TABLE t (id int UNIQUE DEFAULT nextval('s'), v int);
DROP SEQUENCE s CASCADE;
CREATE FUNCTION f(e int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT 1 FROM t WHERE id IS NULL) THEN INSERT INTO t(v) VALUES (e); END IF; END $$;
