-- unsafe at: rc si
CREATE TABLE t (id jsonb PRIMARY KEY, n int NOT NULL);
-- transaction: f
SELECT n AS v FROM t WHERE id = '{"a": 1}'
\gset
UPDATE t SET n = :v + 1 WHERE id = '{"a":1}';
