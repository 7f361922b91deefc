-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, email text UNIQUE NOT NULL);
-- transaction: reg(e text)
INSERT INTO t (email) SELECT :e WHERE NOT EXISTS (SELECT FROM t WHERE lower(email) = lower(:e));
