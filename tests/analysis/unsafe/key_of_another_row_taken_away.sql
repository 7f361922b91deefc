-- unsafe at: rc
CREATE TABLE t (id int PRIMARY KEY, e text UNIQUE);
CREATE FUNCTION f(i int, a text) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN SELECT count(*) INTO n FROM t WHERE e = a; UPDATE t SET e = NULL WHERE e = a; UPDATE t SET e = a WHERE id = i; RETURN n; END $$;
