-- unsafe at: rc si ser pg:serializable
CREATE TABLE g (a int PRIMARY KEY, n int NOT NULL);
-- transaction: t(p int)
BEGIN ISOLATION LEVEL READ COMMITTED;
SELECT n FROM g WHERE a = :p
\gset
UPDATE g SET n = :n + 1 WHERE a = :p;
COMMIT;
