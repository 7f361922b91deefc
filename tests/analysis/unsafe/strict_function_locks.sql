-- unsafe at: rc
CREATE TABLE sub (org int NOT NULL, who int);
CREATE FUNCTION lk(p int) RETURNS void LANGUAGE plpgsql STRICT AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); END $$;
CREATE FUNCTION a(p int, w int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lk(w);
  INSERT INTO sub SELECT p, w WHERE NOT EXISTS (SELECT 1 FROM sub WHERE org = p);
END $$;
