-- unsafe at: rc si
CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE t (id text COLLATE ci PRIMARY KEY, n int NOT NULL);
-- transaction: f
SELECT n AS v FROM t WHERE id = 'A'
\gset
UPDATE t SET n = :v + 1 WHERE id = 'a';
