-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
-- transaction: f
DO $$ DECLARE v int; BEGIN SELECT n INTO v FROM t WHERE id = 1; UPDATE t SET n = v WHERE id = 2; END $$;
-- transaction: g
DO $$ DECLARE v int; BEGIN SELECT n INTO v FROM t WHERE id = 2; UPDATE t SET n = v WHERE id = 1; END $$;
