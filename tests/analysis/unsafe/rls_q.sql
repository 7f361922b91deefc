-- unsafe at: rc si
CREATE TABLE m (id int PRIMARY KEY, ok bool NOT NULL); CREATE TABLE t (id serial PRIMARY KEY, name text); ALTER TABLE t ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON t USING (EXISTS (SELECT 1 FROM m WHERE ok));
-- transaction: a(i int)
UPDATE t SET name = 'x' WHERE id = :i;
-- transaction: b(i int)
SELECT count(*) AS n FROM t WHERE name = 'x'
\gset
UPDATE m SET ok = (:n = 0) WHERE id = 1;

