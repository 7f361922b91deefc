-- unsafe at: rc
CREATE TABLE t (id text PRIMARY KEY, n int NOT NULL);
CREATE EXTENSION citext;
ALTER TABLE t ALTER COLUMN id TYPE citext;
-- transaction: f
SELECT n AS v FROM t WHERE id = 'A'
\gset
UPDATE t SET n = :v + 1 WHERE id = 'a';
