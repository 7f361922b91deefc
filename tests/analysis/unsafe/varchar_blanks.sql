-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, a varchar(2) NOT NULL);
CREATE FUNCTION add(p text) RETURNS void LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN
 IF p = 'ab   ' THEN SELECT count(*) INTO n FROM t WHERE a = 'ab'; IF n = 0 THEN INSERT INTO t(a) VALUES (p); END IF; END IF; END $$;
