-- unsafe at: rc si
-- The view keeps the columns that the table had when it was made, so w is NULL.
CREATE TABLE a (id int PRIMARY KEY, n int NOT NULL);
CREATE VIEW v AS SELECT * FROM a;
ALTER TABLE a ADD COLUMN extra int NOT NULL;
CREATE FUNCTION f(k int, o int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE i int; x int; w int;
BEGIN
  SELECT v.*, NULL::int INTO i, x, w FROM v WHERE id = k;
  IF FOUND AND w IS NULL THEN UPDATE a SET n = x WHERE id = o; END IF;
END $$;
