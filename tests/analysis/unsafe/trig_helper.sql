-- unsafe at: rc
CREATE TABLE t (id int PRIMARY KEY, x int NOT NULL); CREATE TABLE s (k int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION helper(d int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT n INTO v FROM s WHERE k = 1; UPDATE s SET n = v + d WHERE k = 1; END $$;
CREATE FUNCTION tf() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM helper(NEW.x); RETURN NULL; END $$;
CREATE TRIGGER tr AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION tf();
-- transaction: add(i int)
INSERT INTO t VALUES (:i, 1);
