-- unsafe at: rc
CREATE TABLE t (id timestamp PRIMARY KEY, n int NOT NULL);
-- transaction: f
SELECT n AS v FROM t WHERE id = '2020-01-01'
\gset
UPDATE t SET n = :v + 1 WHERE id = '2020-01-01 00:00:00';
