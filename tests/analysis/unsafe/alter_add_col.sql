-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY);
ALTER TABLE t ADD COLUMN n int NOT NULL DEFAULT 0;
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; r record; BEGIN SELECT n INTO v FROM t WHERE id = j; IF v > 0 THEN UPDATE t SET n = 0 WHERE id = i; END IF; END $$;
