-- unsafe at: rc si
CREATE TABLE p (id int PRIMARY KEY, n int NOT NULL); CREATE TABLE c (id int PRIMARY KEY, pid int REFERENCES p ON DELETE SET NULL);
CREATE FUNCTION del(x int, y int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE k int; BEGIN
 SELECT count(*) INTO k FROM c WHERE id = y AND pid IS NOT NULL; IF k > 0 THEN DELETE FROM p WHERE id = x; END IF; END $$;
