-- unsafe at: rc si
CREATE TABLE o (id int PRIMARY KEY, st text);
CREATE FUNCTION mk(p int, s text) RETURNS TABLE (a int, b text) LANGUAGE sql AS $$ SELECT p, s $$;
CREATE FUNCTION add(p int, s text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
 IF NOT EXISTS (SELECT 1 FROM o WHERE st = s) THEN INSERT INTO o SELECT * FROM mk(p, s); END IF; END $$;
