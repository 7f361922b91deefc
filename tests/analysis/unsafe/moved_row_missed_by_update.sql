-- unsafe at: rc
CREATE TABLE u (k int PRIMARY KEY, a int NOT NULL, b int);
-- transaction: move
SELECT pg_advisory_xact_lock(1);
UPDATE u SET k = 3 WHERE k = 2;
UPDATE u SET k = 2 WHERE k = 1;
-- transaction: touch
UPDATE u SET b = a + 1 WHERE k = 2;
