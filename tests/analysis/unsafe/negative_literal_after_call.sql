-- unsafe at: rc si
CREATE TABLE o (id int PRIMARY KEY, k int NOT NULL);
CREATE FUNCTION g(p int) RETURNS int LANGUAGE sql AS $$ SELECT p $$;
CREATE FUNCTION f(p int, q int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE c int; BEGIN
 c := (SELECT k FROM o WHERE id = p);
 IF g(1) = c AND -1 < 0 THEN UPDATE o SET k = 2 WHERE id = q; END IF; END $$;
