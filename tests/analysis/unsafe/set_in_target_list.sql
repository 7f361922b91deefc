-- unsafe at: rc si
-- A row gives as many rows as the array has elements, so it may be there and not be found.
CREATE TABLE t (id int PRIMARY KEY, tags int[]);
CREATE TABLE z (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE c int; x int; BEGIN
PERFORM 1 FROM t WHERE id = 1; IF NOT FOUND THEN RETURN; END IF;
SELECT unnest(tags) INTO c FROM t WHERE id = 1;
IF NOT FOUND THEN SELECT n INTO x FROM z WHERE id = i; UPDATE z SET n = x WHERE id = j; END IF; END $$;
