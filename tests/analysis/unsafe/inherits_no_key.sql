-- unsafe at: rc si
CREATE TABLE base (id int PRIMARY KEY, n int);
CREATE TABLE t () INHERITS (base);
CREATE FUNCTION reg(p int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM base WHERE id = p) THEN
    INSERT INTO t VALUES (p, 1);
  END IF;
END $$;
