-- unsafe at: rc si
CREATE TABLE z (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE x int; BEGIN FOR k IN 1..2.6 LOOP IF k = 3 THEN SELECT n INTO x FROM z WHERE id = i; UPDATE z SET n = x WHERE id = j; END IF; END LOOP; END $$;
