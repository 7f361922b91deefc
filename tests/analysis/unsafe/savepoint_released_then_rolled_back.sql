-- unsafe at: rc
CREATE TABLE sub (org int NOT NULL);
-- transaction: a(p int)
SAVEPOINT s;
SELECT pg_advisory_xact_lock(1);
SAVEPOINT s;
RELEASE SAVEPOINT s;
ROLLBACK TO SAVEPOINT s;
INSERT INTO sub SELECT :p WHERE NOT EXISTS (SELECT 1 FROM sub WHERE org = :p);
