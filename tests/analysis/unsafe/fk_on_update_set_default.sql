-- unsafe at: rc si
CREATE TABLE p (id int PRIMARY KEY, k int UNIQUE NOT NULL); CREATE TABLE c (id int PRIMARY KEY, pk int DEFAULT 0 REFERENCES p(k) ON UPDATE SET DEFAULT, n int NOT NULL);
CREATE FUNCTION mv(a int, b int, x int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT n INTO v FROM c WHERE id = b; IF v = 0 THEN UPDATE p SET k = x WHERE id = a; END IF; END $$;
CREATE FUNCTION mark(a int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT pk INTO v FROM c WHERE id = a; IF v <> 0 THEN UPDATE c SET n = 1 WHERE id = a + 1; END IF; END $$;
