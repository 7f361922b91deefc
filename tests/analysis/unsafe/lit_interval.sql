-- unsafe at: rc si
CREATE TABLE t (id interval PRIMARY KEY, n int NOT NULL);
-- transaction: f
SELECT n AS v FROM t WHERE id = '1 day'
\gset
UPDATE t SET n = :v + 1 WHERE id = '24 hours';
