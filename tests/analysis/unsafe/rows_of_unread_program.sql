-- unsafe at: rc si
-- Programs that can be read insert rows of kind 1 only; one that cannot may have left others.
CREATE TABLE n (id int PRIMARY KEY, kind int NOT NULL);
CREATE TABLE z (id int PRIMARY KEY, v int NOT NULL);
CREATE FUNCTION add(i int) RETURNS void LANGUAGE sql AS $$ INSERT INTO n VALUES (i, 1) $$;
CREATE PROCEDURE add_two(i int) LANGUAGE plpgsql AS $$ BEGIN INSERT INTO n VALUES (i, 2); COMMIT; INSERT INTO n VALUES (i + 1, 2); END $$;
CREATE FUNCTION f(k int, o int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE x int; m int;
BEGIN
  SELECT min(id) INTO m FROM n WHERE kind = 2;
  IF m IS NOT NULL THEN SELECT v INTO x FROM z WHERE id = k; UPDATE z SET v = x WHERE id = o; END IF;
END $$;
