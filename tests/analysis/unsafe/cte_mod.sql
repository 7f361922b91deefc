-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
-- transaction: f(i int, j int)
WITH x AS (UPDATE t SET n = 0 WHERE id = :i RETURNING n) SELECT sum(n) FROM t;
