-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, e text NOT NULL UNIQUE, x int NOT NULL);
CREATE FUNCTION a(i int, k int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT x INTO v FROM t WHERE id = k; UPDATE t SET e = 'a' WHERE id = i; RETURN v; END $$;
CREATE FUNCTION b(k int) RETURNS void LANGUAGE sql AS $$ UPDATE t SET e = 'b', x = x + 1 WHERE id = k $$;
