-- unsafe at: rc si
CREATE TABLE a (id int PRIMARY KEY, y int NOT NULL);
CREATE TABLE o (id int PRIMARY KEY, k int NOT NULL);
CREATE FUNCTION f(p int, q int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE c int; d int; e int; BEGIN
 SELECT * INTO c, d, e FROM a JOIN o USING (id) WHERE a.id = p;
 IF e = 1 AND c = p THEN UPDATE o SET k = 2 WHERE id = q; END IF; END $$;
