-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
-- transaction: f(i int)
WITH c AS (SELECT id, n FROM t WHERE id > :i) UPDATE t SET n = c.n FROM c WHERE t.id = c.id - 1;
