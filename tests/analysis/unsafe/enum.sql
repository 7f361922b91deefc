-- unsafe at: rc si
CREATE TYPE st AS ENUM ('new','done');
CREATE TABLE t (id int PRIMARY KEY, s st NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT count(*) INTO v FROM t WHERE s = 'new' AND id = j; IF v > 0 THEN UPDATE t SET s = 'done' WHERE id = i; END IF; END $$;
