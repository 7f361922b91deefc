-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, z int, n int NOT NULL);
ALTER TABLE t DROP COLUMN z;
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; r record; BEGIN SELECT n INTO v FROM t WHERE id = j; IF v > 0 THEN UPDATE t SET n = 0 WHERE id = i; END IF; END $$;
