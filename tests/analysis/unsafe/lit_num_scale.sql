-- unsafe at: rc si
-- A literal that is compared is not rounded to the scale of the column.
CREATE TABLE x (id numeric(10,1) PRIMARY KEY, n int NOT NULL);
CREATE TABLE z (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF (SELECT n FROM z WHERE id = 1) = 0 THEN UPDATE x SET n = 1 WHERE id = 1.0; END IF; END $$;
CREATE FUNCTION g() RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF EXISTS (SELECT 1 FROM x WHERE id < '1.04' AND id > '0.96' AND n = 0) THEN UPDATE z SET n = 1 WHERE id = 1; END IF; END $$;
