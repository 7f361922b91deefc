-- unsafe at: rc si
CREATE TABLE t(id serial PRIMARY KEY, g int NOT NULL);
CREATE TABLE z(id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE c int; x int; BEGIN
SELECT count(*) INTO c FROM t HAVING count(*) > 100;
IF NOT FOUND THEN SELECT n INTO x FROM z WHERE id = i; UPDATE z SET n = x WHERE id = j; END IF; END $$;
