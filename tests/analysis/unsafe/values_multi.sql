-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, name text NOT NULL);
-- transaction: add(p text)
INSERT INTO t(name) SELECT v.x FROM (VALUES (:p), ('z')) AS v(x) WHERE NOT EXISTS (SELECT 1 FROM t WHERE t.name = v.x);
