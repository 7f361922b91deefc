-- unsafe at: rc si
-- A row with some columns that are NULL is neither NULL nor NOT NULL.
CREATE TABLE t (id int PRIMARY KEY, a int, b int);
CREATE FUNCTION f(k int, o int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE r t%ROWTYPE;
BEGIN
  SELECT * INTO r FROM t WHERE id = k;
  IF r IS NULL THEN RETURN; END IF;
  IF r IS NOT NULL THEN RETURN; END IF;
  UPDATE t SET a = 5 WHERE id = o;
END $$;
