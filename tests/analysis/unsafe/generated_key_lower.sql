-- unsafe at: rc si
CREATE TABLE t (name text NOT NULL, k text GENERATED ALWAYS AS (lower(name)) STORED, n int NOT NULL, PRIMARY KEY (name));
CREATE FUNCTION f(a text, b text) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT count(*) INTO v FROM t WHERE k = a; IF v = 0 THEN INSERT INTO t(name, n) VALUES (b, 1); END IF; END $$;
