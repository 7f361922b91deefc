-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, a numeric(5,1) NOT NULL);
CREATE FUNCTION add(p numeric(5,1)) RETURNS void LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN
 IF p = 1.04 THEN SELECT count(*) INTO n FROM t WHERE a = 1.0; IF n = 0 THEN INSERT INTO t(a) VALUES (p); END IF; END IF; END $$;
