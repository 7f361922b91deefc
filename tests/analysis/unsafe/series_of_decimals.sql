-- unsafe at: rc si
CREATE TABLE z (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE x int; r numeric; BEGIN FOR r IN SELECT * FROM generate_series(1.0, 2.0, 0.5) LOOP IF r = 1.5 THEN SELECT n INTO x FROM z WHERE id = i; UPDATE z SET n = x WHERE id = j; END IF; END LOOP; END $$;
