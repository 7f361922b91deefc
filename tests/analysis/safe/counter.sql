-- safe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION bump(i int) RETURNS void LANGUAGE sql AS $$ UPDATE t SET n = n + 1 WHERE id = i $$;
