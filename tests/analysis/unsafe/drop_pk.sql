-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, name text);
ALTER TABLE t DROP CONSTRAINT t_pkey;
CREATE FUNCTION add(p int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE n int; BEGIN
 SELECT count(*) INTO n FROM t WHERE id = p;
 IF n = 0 THEN INSERT INTO t(id,name) VALUES (p,'x'); END IF; END $$;
