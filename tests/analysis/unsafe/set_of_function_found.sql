-- unsafe at: rc si
CREATE TABLE z (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION nothing() RETURNS SETOF int LANGUAGE sql AS $$ SELECT 1 WHERE false $$;
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE c int; x int; BEGIN
SELECT nothing() INTO c;
IF NOT FOUND THEN SELECT n INTO x FROM z WHERE id = i; UPDATE z SET n = x WHERE id = j; END IF; END $$;
