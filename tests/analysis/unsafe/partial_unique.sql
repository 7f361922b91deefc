-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, name text, active bool NOT NULL); CREATE UNIQUE INDEX u ON t(name) WHERE active;
CREATE FUNCTION add(p text) RETURNS void LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN
 SELECT count(*) INTO n FROM t WHERE name = p; IF n = 0 THEN INSERT INTO t(name,active) VALUES (p,false); END IF; END $$;
