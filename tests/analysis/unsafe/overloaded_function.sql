-- unsafe at: rc
CREATE TABLE sub (org int NOT NULL, who int);
CREATE FUNCTION lk(p int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); END $$;
CREATE FUNCTION lk(p text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN RETURN; END $$;
CREATE FUNCTION a(p int, n varchar) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lk(n);
  INSERT INTO sub SELECT p, 1 WHERE NOT EXISTS (SELECT 1 FROM sub WHERE org = p);
END $$;
