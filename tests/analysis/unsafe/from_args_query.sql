-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL); CREATE TABLE l (id serial PRIMARY KEY, k int);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN INSERT INTO l(k) SELECT g FROM generate_series(1, (SELECT n FROM t WHERE id = j)) g; UPDATE t SET n = 0 WHERE id = i; END $$;
