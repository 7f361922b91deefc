-- unsafe at: rc si
CREATE TABLE t (id inet PRIMARY KEY, n int NOT NULL);
-- transaction: f
SELECT n AS v FROM t WHERE id = '10.0.0.1'
\gset
UPDATE t SET n = :v + 1 WHERE id = '10.0.0.1/32';
