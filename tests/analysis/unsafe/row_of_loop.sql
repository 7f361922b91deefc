-- unsafe at: rc si
CREATE TABLE o (id int, st text);
CREATE TABLE src (id int PRIMARY KEY, st text);
CREATE FUNCTION add(p int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE r record; BEGIN
 FOR r IN SELECT * FROM src WHERE id = p LOOP IF NOT EXISTS (SELECT 1 FROM o WHERE st = r.st) THEN INSERT INTO o SELECT r.*; END IF; END LOOP; END $$;
