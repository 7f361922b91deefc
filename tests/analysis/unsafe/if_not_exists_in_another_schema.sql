-- unsafe at: rc si
CREATE SCHEMA a; CREATE SCHEMA b;
CREATE TABLE a.sub (org int PRIMARY KEY);
CREATE TABLE IF NOT EXISTS b.sub (org int);
-- transaction: t(p int)
INSERT INTO b.sub SELECT :p WHERE NOT EXISTS (SELECT 1 FROM b.sub WHERE org = :p);
