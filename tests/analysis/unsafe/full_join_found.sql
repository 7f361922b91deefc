-- unsafe at: rc si
CREATE TABLE t(id int PRIMARY KEY, x int NOT NULL);
CREATE TABLE u(id int PRIMARY KEY, x int NOT NULL);
CREATE TABLE z(id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE x int; b int; a int; BEGIN
SELECT t.id, u.id INTO a, b FROM t FULL JOIN u ON u.id = t.id WHERE u.id = 1;
IF FOUND AND a IS NULL THEN SELECT n INTO x FROM z WHERE id = i; UPDATE z SET n = x WHERE id = j; END IF; END $$;
