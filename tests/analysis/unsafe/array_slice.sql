-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, tags int[] NOT NULL);
CREATE FUNCTION f(a int, b int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT tags[1] INTO v FROM t WHERE id = a; UPDATE t SET tags[1] = v + 1 WHERE id = b; END $$;
