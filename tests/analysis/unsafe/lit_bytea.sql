-- unsafe at: rc si
CREATE TABLE t (id bytea PRIMARY KEY, n int NOT NULL);
-- transaction: f
SELECT n AS v FROM t WHERE id = '\x61'
\gset
UPDATE t SET n = :v + 1 WHERE id = 'a';
