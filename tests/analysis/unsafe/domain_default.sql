-- unsafe at: rc
CREATE TABLE s (k int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION nx() RETURNS int LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT n INTO v FROM s WHERE k = 1; UPDATE s SET n = v + 1 WHERE k = 1; RETURN v; END $$;
CREATE DOMAIN d AS int DEFAULT nx(); CREATE TABLE t (id serial PRIMARY KEY, x d);
-- transaction: f
INSERT INTO t(id) VALUES (DEFAULT);
