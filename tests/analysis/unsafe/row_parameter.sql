-- unsafe at: rc si
CREATE TABLE o (id int PRIMARY KEY, st text);
CREATE FUNCTION add(r o) RETURNS void LANGUAGE plpgsql AS $$ 
BEGIN
 IF NOT EXISTS (SELECT 1 FROM o WHERE st = r.st) THEN INSERT INTO o SELECT r.*; END IF; END $$;
