-- unsafe at: rc si
CREATE TABLE o (id int PRIMARY KEY, k int NOT NULL);
CREATE PROCEDURE g(p int, INOUT c int) LANGUAGE plpgsql AS $$ BEGIN SELECT k INTO c FROM o WHERE id = p; END $$;
CREATE FUNCTION f(p int, q int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE x int := 0; BEGIN
 CALL g(p, c => x);
 IF x = 1 THEN UPDATE o SET k = 2 WHERE id = q; END IF; END $$;
