-- unsafe at: rc si
CREATE TABLE t (id timestamptz PRIMARY KEY, n int NOT NULL);
-- transaction: f
SELECT n AS v FROM t WHERE id = '2020-01-01 00:00:00+00'
\gset
UPDATE t SET n = :v + 1 WHERE id = '2020-01-01 01:00:00+01';
