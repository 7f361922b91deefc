-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, no int NOT NULL);
-- transaction: add()
INSERT INTO t (no) SELECT coalesce(max(no), 0) + 1 FROM t;
