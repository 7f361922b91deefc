-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL); CREATE VIEW v AS SELECT id, n FROM t WHERE n > 0;
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE x int; BEGIN SELECT n INTO x FROM v WHERE id = j; UPDATE v SET n = x WHERE id = i; END $$;
