-- unsafe at: rc si
CREATE TABLE o (id int PRIMARY KEY, st text);
CREATE FUNCTION add(j jsonb) RETURNS void LANGUAGE plpgsql AS $$ 
BEGIN
 IF NOT EXISTS (SELECT 1 FROM o WHERE st = j->>'st') THEN INSERT INTO o SELECT * FROM jsonb_populate_record(NULL::o, j); END IF; END $$;
