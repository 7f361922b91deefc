-- unsafe at: rc si
CREATE TABLE o (id int PRIMARY KEY, k int NOT NULL);
CREATE FUNCTION f(p int, q int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE r o%ROWTYPE; BEGIN
 SELECT * INTO r FROM o WHERE id = p AND k = 1;
 IF r IS NOT NULL THEN UPDATE o SET k = 2 WHERE id = q; END IF; END $$;
