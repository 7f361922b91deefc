-- unsafe at: rc si
CREATE TABLE c (n int PRIMARY KEY); 
CREATE FUNCTION nxt() RETURNS int LANGUAGE sql AS $$ SELECT coalesce(max(id),0)+1 FROM t $$;
CREATE TABLE t (id int DEFAULT nxt(), name text);
-- transaction: add(p text)
INSERT INTO t(name) VALUES (:p);
