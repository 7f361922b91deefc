-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, r int NOT NULL, x int NOT NULL, EXCLUDE USING gist (r WITH =));
CREATE FUNCTION mv(a int, b int, v int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN SELECT x INTO n FROM t WHERE id = b; UPDATE t SET r = n WHERE id = a; END $$;
CREATE FUNCTION st(b int, v int) RETURNS void LANGUAGE sql AS $$ UPDATE t SET r = v, x = v WHERE id = b $$;
