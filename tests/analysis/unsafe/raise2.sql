-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION g(d int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT n INTO v FROM t WHERE id = d; UPDATE t SET n = v WHERE id = 3 - d; RETURN v; END $$;
CREATE FUNCTION f(i int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'x %', g(i); END $$;
