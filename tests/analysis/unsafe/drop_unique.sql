-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, name text, CONSTRAINT u UNIQUE (name));
ALTER TABLE t DROP CONSTRAINT u;
CREATE FUNCTION add(p_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE n int; BEGIN
 SELECT count(*) INTO n FROM t WHERE name = p_name;
 IF n = 0 THEN INSERT INTO t(name) VALUES (p_name); END IF; END $$;

