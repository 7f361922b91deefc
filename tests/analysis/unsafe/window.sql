-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
-- transaction: f(i int)
SELECT rank() OVER w AS r FROM t WINDOW w AS (ORDER BY n) LIMIT 1
\gset
UPDATE t SET n = :r WHERE id = :i;
