-- unsafe at: rc si
CREATE TABLE o (id int PRIMARY KEY, st text);
CREATE FUNCTION add(p int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE r o; BEGIN IF NOT EXISTS (SELECT 1 FROM o WHERE st = 'vip') THEN r := (p, 'vip'); INSERT INTO o SELECT (r).*; END IF; END $$;
