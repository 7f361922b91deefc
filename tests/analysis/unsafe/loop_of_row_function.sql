-- unsafe at: rc si
CREATE TABLE o (id int PRIMARY KEY, st text, k int NOT NULL);
CREATE FUNCTION g(p int) RETURNS SETOF o LANGUAGE sql AS $$ SELECT * FROM o WHERE id = p $$;
CREATE FUNCTION f(p int, q int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE a int; b text; c int; BEGIN
 FOR a, b, c IN SELECT * FROM g(p) LOOP
 IF c = 1 THEN UPDATE o SET k = 2 WHERE id = q; END IF; END LOOP; END $$;
