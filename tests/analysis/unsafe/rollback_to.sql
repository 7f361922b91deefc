-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
-- transaction: f(i int, j int)
BEGIN;
SAVEPOINT a;
UPDATE t SET n = 5 WHERE id = :j;
ROLLBACK TO SAVEPOINT a;
SELECT n AS v FROM t WHERE id = :j
\gset
UPDATE t SET n = :v WHERE id = :i;
COMMIT;
