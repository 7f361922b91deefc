-- safe at: rc si
CREATE TABLE g (a int PRIMARY KEY, n int NOT NULL);
-- transaction: t(p int)
BEGIN;
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
SELECT n FROM g WHERE a = :p
\gset
UPDATE g SET n = :n + 1 WHERE a = :p;
COMMIT;
