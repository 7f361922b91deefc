-- unsafe at: rc si
CREATE TABLE t (id int NOT NULL, name text NOT NULL, k int NOT NULL, PRIMARY KEY (id,k)) PARTITION BY LIST (k);
CREATE TABLE t1 PARTITION OF t FOR VALUES IN (1);
CREATE FUNCTION add(i int, p text) RETURNS void LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN
 SELECT count(*) INTO n FROM t1 WHERE name = p; IF n = 0 THEN INSERT INTO t VALUES (i,p,1); END IF; END $$;
