-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; r record; BEGIN SELECT n INTO v FROM t WHERE id = j; IF v > 0 THEN INSERT INTO t VALUES (i, 0) ON CONFLICT (id) DO UPDATE SET n = 0 WHERE t.n > 3; END IF; END $$;
