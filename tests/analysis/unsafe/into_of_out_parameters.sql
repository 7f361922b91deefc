-- unsafe at: rc si
CREATE TABLE o (id int PRIMARY KEY, k int NOT NULL);
CREATE FUNCTION g(p int, OUT a int, OUT b int) LANGUAGE plpgsql AS $$ BEGIN SELECT k, id INTO b, a FROM o WHERE id = p; END $$;
CREATE FUNCTION f(p int, q int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE x int; y int; BEGIN
 SELECT * FROM g(p) INTO x, y;
 IF y = 1 THEN UPDATE o SET k = 2 WHERE id = q; END IF; END $$;
