-- unsafe at: rc si
CREATE TABLE o (id int PRIMARY KEY, st text);
CREATE FUNCTION add(rs o[]) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
 IF NOT EXISTS (SELECT 1 FROM o WHERE st = 'vip') THEN INSERT INTO o SELECT * FROM unnest(rs); END IF; END $$;
