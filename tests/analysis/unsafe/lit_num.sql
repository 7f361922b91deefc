-- unsafe at: rc
CREATE TABLE t (id numeric PRIMARY KEY, n int NOT NULL);
-- transaction: f
SELECT n AS v FROM t WHERE id = '1.50'
\gset
UPDATE t SET n = :v + 1 WHERE id = '1.5';
