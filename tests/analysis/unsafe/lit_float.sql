-- unsafe at: rc
CREATE TABLE t (id float8 PRIMARY KEY, n int NOT NULL);
-- transaction: f
SELECT n AS v FROM t WHERE id = '1e1'
\gset
UPDATE t SET n = :v + 1 WHERE id = '10';
