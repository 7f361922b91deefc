-- unsafe at: rc si
CREATE TABLE t (id serial, name text);
-- transaction: f(p text)
SELECT setval('t_id_seq', 1);
INSERT INTO t(name) VALUES (:p);
