-- unsafe at: rc si
CREATE TABLE o (id int PRIMARY KEY, k int NOT NULL);
CREATE PROCEDURE g(OUT c int, n int) LANGUAGE plpgsql AS $$ BEGIN c := 0; IF n = 1 THEN UPDATE o SET k = 2 WHERE id = 2; ELSIF n = 2 THEN UPDATE o SET k = 2 WHERE id = 1; END IF; END $$;
CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ DECLARE x int := 0; BEGIN
 IF (SELECT k FROM o WHERE id = 1) = 1 THEN CALL g(x, 1); END IF; END $$;
CREATE FUNCTION h() RETURNS void LANGUAGE plpgsql AS $$ DECLARE x int := 0; BEGIN
 IF (SELECT k FROM o WHERE id = 2) = 1 THEN CALL g(x, 2); END IF; END $$;
