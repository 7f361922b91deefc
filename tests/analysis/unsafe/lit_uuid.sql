-- unsafe at: rc
CREATE TABLE t (id uuid PRIMARY KEY, n int NOT NULL);
-- transaction: f
SELECT n AS v FROM t WHERE id = 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'
\gset
UPDATE t SET n = :v + 1 WHERE id = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';
