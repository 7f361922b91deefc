-- unsafe at: rc
CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE t (id text PRIMARY KEY, n int NOT NULL);
ALTER TABLE t ALTER COLUMN id TYPE text COLLATE ci;
-- transaction: f
SELECT n AS v FROM t WHERE id = 'A'
\gset
UPDATE t SET n = :v + 1 WHERE id = 'a';
