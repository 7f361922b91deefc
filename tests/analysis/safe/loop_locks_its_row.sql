-- safe at: rc
-- Each round works on what belongs to the row that it has locked.
CREATE TABLE m (id int PRIMARY KEY, g int NOT NULL);
CREATE TABLE a (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(k int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE x int; r record;
BEGIN
  FOR r IN SELECT id FROM m WHERE id = k FOR UPDATE LOOP
    SELECT n INTO x FROM a WHERE id = r.id;
    UPDATE a SET n = x + 1 WHERE id = r.id;
  END LOOP;
END $$;
