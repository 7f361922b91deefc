-- unsafe at: rc
-- The first round reads a before the loop has locked all rows of m.
CREATE TABLE m (id int PRIMARY KEY, g int NOT NULL);
CREATE TABLE a (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$
DECLARE x int; r record;
BEGIN
  FOR r IN SELECT id FROM m FOR UPDATE LOOP
    SELECT n INTO x FROM a WHERE id = 1;
    UPDATE a SET n = x WHERE id = 2;
  END LOOP;
END $$;
CREATE FUNCTION g() RETURNS void LANGUAGE plpgsql AS $$
DECLARE x int;
BEGIN
  PERFORM 1 FROM m WHERE id = 15 FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT n INTO x FROM a WHERE id = 2;
  UPDATE a SET n = x WHERE id = 1;
END $$;
