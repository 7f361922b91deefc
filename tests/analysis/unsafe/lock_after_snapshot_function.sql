-- unsafe at: rc
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
-- transaction: f(i int, j int)
SELECT n AS v, pg_advisory_xact_lock(1) FROM t WHERE id = :j
\gset
UPDATE t SET n = :v + 1 WHERE id = :i;
