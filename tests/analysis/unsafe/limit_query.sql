-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL); CREATE TABLE u (id int PRIMARY KEY);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT id INTO v FROM u ORDER BY id LIMIT 1 OFFSET (SELECT n FROM t WHERE id = j); UPDATE t SET n = v WHERE id = i; END $$;
