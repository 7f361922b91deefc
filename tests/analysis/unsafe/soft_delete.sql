-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, k int NOT NULL, deleted_at timestamptz);
CREATE FUNCTION add(x int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT FROM t WHERE k = x AND deleted_at IS NULL) THEN INSERT INTO t (k) VALUES (x); END IF; END $$;
CREATE FUNCTION del(i int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN UPDATE t SET deleted_at = now() WHERE id = i; END $$;
