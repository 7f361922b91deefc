-- unsafe at: rc si
CREATE TABLE t (id int, name text); CREATE TABLE u (x int) INHERITS (t);
CREATE FUNCTION add(i int, p text) RETURNS void LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN
 SELECT count(*) INTO n FROM t WHERE name = p; IF n = 0 THEN INSERT INTO u VALUES (1); END IF; END $$;
