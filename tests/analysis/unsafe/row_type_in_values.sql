-- unsafe at: rc si
CREATE TABLE o (id int PRIMARY KEY, st text);
CREATE FUNCTION add(p int, s text) RETURNS void LANGUAGE plpgsql AS $$ 
DECLARE r o; BEGIN
 SELECT p, s INTO r;
 IF NOT EXISTS (SELECT 1 FROM o WHERE st = s) THEN INSERT INTO o VALUES (r.*); END IF; END $$;
