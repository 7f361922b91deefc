-- unsafe at: rc si
CREATE TABLE t (id bigint PRIMARY KEY, n int NOT NULL); CREATE SEQUENCE q;
CREATE FUNCTION f(v int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('q'); IF NOT EXISTS (SELECT FROM t WHERE n = v) THEN INSERT INTO t VALUES (currval('q'), v); END IF; END $$;
