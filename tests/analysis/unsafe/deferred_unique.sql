-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, pos int NOT NULL UNIQUE DEFERRABLE INITIALLY DEFERRED, n int NOT NULL);
CREATE FUNCTION f(a int, b int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT n INTO v FROM t WHERE id = a; UPDATE t SET n = v + 1 WHERE id = b; END $$;
