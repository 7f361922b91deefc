-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, name text);
CREATE FUNCTION add(ns text[]) RETURNS void LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN SELECT count(*) INTO n FROM t WHERE name = ns[1];
 IF n = 0 THEN INSERT INTO t(name) SELECT unnest(ns); END IF; END $$;
