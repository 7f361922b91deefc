-- unsafe at: rc si
CREATE TABLE u (st text PRIMARY KEY);
DROP TABLE u;
CREATE TABLE u (st text);
CREATE FUNCTION reg(e text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
 IF NOT EXISTS (SELECT 1 FROM u WHERE st = e) THEN INSERT INTO u(st) VALUES (e); END IF; END $$;
