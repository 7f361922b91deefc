-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, name text);
-- transaction: add(p text)
INSERT INTO t(name) SELECT :p WHERE NOT EXISTS (SELECT 1 FROM t WHERE name = :p);
