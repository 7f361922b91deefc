-- unsafe at: rc si
CREATE TABLE o (id int PRIMARY KEY, k int NOT NULL);
CREATE FUNCTION f(arr int[]) RETURNS void LANGUAGE plpgsql AS $$ DECLARE a int; b int; BEGIN
 FOR a, b IN SELECT * FROM unnest(arr) WITH ORDINALITY LOOP
 IF b = 1 AND (SELECT k FROM o WHERE id = a) = 1 THEN UPDATE o SET k = 2 WHERE id = 3 - a; END IF; END LOOP; END $$;
