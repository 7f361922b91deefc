-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, first text, name text GENERATED ALWAYS AS (lower(first)) STORED);
CREATE FUNCTION add(p text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE n int; BEGIN
 SELECT count(*) INTO n FROM t WHERE name = lower(p);
 IF n = 0 THEN INSERT INTO t(first) VALUES (p); END IF; END $$;
