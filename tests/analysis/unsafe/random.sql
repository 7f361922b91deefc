-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; r record; BEGIN SELECT n INTO v FROM t WHERE id = j; IF v > 0 THEN DELETE FROM t WHERE random() < 0.5; END IF; END $$;
