-- safe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL); CREATE TABLE u (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT n INTO v FROM t WHERE id = i FOR SHARE; UPDATE u SET n = u.n + v WHERE id = i; END $$;
CREATE FUNCTION g(i int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN UPDATE t SET n = n + 1 WHERE id = i; END $$;
