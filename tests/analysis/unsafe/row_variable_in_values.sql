-- unsafe at: rc si
CREATE TABLE o (id int, st text);
CREATE TABLE src (id int PRIMARY KEY, st text);
CREATE FUNCTION add(p int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE r src%ROWTYPE; BEGIN
 SELECT * INTO r FROM src WHERE id = p; IF NOT EXISTS (SELECT 1 FROM o WHERE st = r.st) THEN INSERT INTO o VALUES (r.*); END IF; END $$;
