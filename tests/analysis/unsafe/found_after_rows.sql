-- unsafe at: rc si
-- FOUND is about all rows of the INSERT, not about the last of them, which waits for others.
CREATE TABLE z (id int PRIMARY KEY, n int NOT NULL);
CREATE TABLE l (a int PRIMARY KEY, b int);
CREATE FUNCTION f(i int, j int, a int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE x int;
BEGIN
  INSERT INTO l VALUES (a, 1), (1, 2) ON CONFLICT DO NOTHING;
  IF FOUND THEN SELECT n INTO x FROM z WHERE id = i; UPDATE z SET n = x WHERE id = j; END IF;
END $$;
