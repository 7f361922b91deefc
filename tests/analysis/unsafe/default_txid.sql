-- unsafe at: rc si
CREATE TABLE t (id bigint PRIMARY KEY DEFAULT txid_current(), n int NOT NULL);
CREATE FUNCTION f(v int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT FROM t WHERE n = v) THEN INSERT INTO t(n) VALUES (v); END IF; END $$;
