-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, name text); CREATE TABLE l (id serial PRIMARY KEY, x text);
CREATE RULE r AS ON INSERT TO l DO ALSO INSERT INTO t(name) VALUES (NEW.x);
CREATE FUNCTION add(p_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE n int; BEGIN SELECT count(*) INTO n FROM t WHERE name = p_name;
 IF n = 0 THEN INSERT INTO l(x) VALUES (p_name); END IF; END $$;
