-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL); CREATE TABLE u (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT t.n INTO v FROM t JOIN u ON u.id = t.id WHERE t.id = j FOR UPDATE OF u; UPDATE t SET n = v + 1 WHERE id = i; END $$;
