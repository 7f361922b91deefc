-- unsafe at: rc
CREATE TABLE t (id boolean PRIMARY KEY, n int NOT NULL);
-- transaction: f
SELECT n AS v FROM t WHERE id = 't'
\gset
UPDATE t SET n = :v + 1 WHERE id = 'yes';
