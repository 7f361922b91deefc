-- unsafe at: rc si
CREATE TABLE t (a int, b int, PRIMARY KEY (a, b), UNIQUE (a));
CREATE FUNCTION put(x int, y int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE c int; BEGIN SELECT count(*) INTO c FROM t WHERE a = x AND b = y + 1; INSERT INTO t VALUES (x, y); RETURN c; END $$;
CREATE FUNCTION del(x int, y int) RETURNS void LANGUAGE sql AS $$ DELETE FROM t WHERE a = x AND b = y $$;
