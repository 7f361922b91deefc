-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, a timestamp(0) NOT NULL);
CREATE FUNCTION add(p timestamp, q timestamp) RETURNS void LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN
 IF q = '2024-01-01 00:00:00' AND p <> '2024-01-01 00:00:00' THEN SELECT count(*) INTO n FROM t WHERE a = q; IF n = 0 THEN INSERT INTO t(a) VALUES (p); END IF; END IF; END $$;
