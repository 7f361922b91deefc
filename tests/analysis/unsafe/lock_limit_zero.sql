-- unsafe at: rc
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
-- transaction: f(i int, j int)
SELECT pg_advisory_xact_lock(1) LIMIT 0;
SELECT n AS v FROM t WHERE id = :j
\gset
UPDATE t SET n = :v + 1 WHERE id = :i;
