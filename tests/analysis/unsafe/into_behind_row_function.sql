-- unsafe at: rc si
CREATE TABLE o (id int PRIMARY KEY, st text, k int NOT NULL);
CREATE FUNCTION g(p int) RETURNS TABLE (a int, b int) LANGUAGE sql AS $$ SELECT p, 0 $$;
CREATE FUNCTION f(p int, q int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE x int; y int; z int; BEGIN
 SELECT g.*, o.k INTO x, y, z FROM g(p), o WHERE o.id = p;
 IF z = 1 THEN UPDATE o SET k = 2 WHERE id = q; END IF; END $$;
