-- unsafe at: rc si
CREATE TABLE z (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(a int, i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE x int; BEGIN IF COALESCE(a, 2.5) = 2.5 THEN SELECT n INTO x FROM z WHERE id = i; UPDATE z SET n = x WHERE id = j; END IF; END $$;
