-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, e text NOT NULL UNIQUE); CREATE TABLE c (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, a text) RETURNS void LANGUAGE plpgsql AS $$ DECLARE m int; BEGIN SELECT count(*) INTO m FROM t; INSERT INTO t VALUES (i, a) ON CONFLICT DO NOTHING; UPDATE c SET n = m WHERE id = i; END $$;
