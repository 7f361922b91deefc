-- unsafe at: rc si
CREATE TABLE o (id int PRIMARY KEY, st text NOT NULL);
CREATE TABLE o1 (x int) INHERITS (o);
CREATE FUNCTION a(i int, s text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM o WHERE id = i) THEN INSERT INTO o1(id, st, x) VALUES (i, s, 1); END IF; END $$;
