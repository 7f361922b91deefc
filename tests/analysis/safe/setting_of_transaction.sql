-- safe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
-- transaction: f(id int)
SET LOCAL lock_timeout = '2s';
SELECT n FROM t WHERE id = :id FOR UPDATE;
UPDATE t SET n = n + 1 WHERE id = :id;
