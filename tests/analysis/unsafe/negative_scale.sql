-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, a numeric(5,-2) NOT NULL);
CREATE FUNCTION add(p int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN
 IF p = 1234 THEN SELECT count(*) INTO n FROM t WHERE a = 1200; IF n = 0 THEN INSERT INTO t(a) VALUES (p); END IF; END IF; END $$;
