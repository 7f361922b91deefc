-- unsafe at: rc si
CREATE TABLE t (id int, a int, r int, PRIMARY KEY (id, r)) PARTITION BY LIST (r);
CREATE TABLE t1 PARTITION OF t FOR VALUES IN (1);
CREATE UNIQUE INDEX ON ONLY t (a, r);
CREATE FUNCTION put(i int, x int, y int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT 1 FROM t WHERE a = x AND r = y) THEN INSERT INTO t VALUES (i, x, y); END IF; END $$;
