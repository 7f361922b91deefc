-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY);
CREATE VIEW v AS SELECT id FROM t;
CREATE OR REPLACE VIEW v AS SELECT id FROM v;
-- transaction: a()
SELECT * FROM v;
