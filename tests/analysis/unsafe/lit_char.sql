-- unsafe at: rc
CREATE TABLE t (id char(5) PRIMARY KEY, n int NOT NULL);
-- transaction: f
SELECT n AS v FROM t WHERE id = 'ab'
\gset
UPDATE t SET n = :v + 1 WHERE id = 'ab   ';
