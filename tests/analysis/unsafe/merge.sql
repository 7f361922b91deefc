-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL); CREATE TABLE u (id int PRIMARY KEY, n int NOT NULL);
-- transaction: f(i int)
MERGE INTO t USING u ON t.id = u.id WHEN MATCHED THEN UPDATE SET n = u.n;
-- transaction: g(i int)
UPDATE u SET n = (SELECT n FROM t WHERE id = :i) WHERE id = :i;
