-- unsafe at: rc si
CREATE TABLE p (id int PRIMARY KEY, code int UNIQUE NOT NULL, n int NOT NULL); CREATE TABLE c (id int PRIMARY KEY, code int REFERENCES p (code) ON UPDATE CASCADE, n int NOT NULL);
CREATE FUNCTION recode(a int, x int, k int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF (SELECT n FROM c WHERE id = k) = 0 THEN UPDATE p SET code = x WHERE id = a; END IF; END $$;
CREATE FUNCTION chk(k int, a int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF (SELECT code FROM c WHERE id = k) = 1 THEN UPDATE c SET n = 1 WHERE id = a; END IF; END $$;
