-- unsafe at: rc
CREATE SCHEMA util; CREATE SCHEMA app;
CREATE TABLE app.sub (org int NOT NULL, who int);
CREATE FUNCTION app.lk() RETURNS void LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); END $$;
CREATE FUNCTION util.lk() RETURNS void LANGUAGE plpgsql AS $$ BEGIN RETURN; END $$;
CREATE FUNCTION app.a(p int, n int) RETURNS void LANGUAGE plpgsql SET search_path = util, app AS $$
BEGIN
  PERFORM lk();
  INSERT INTO sub SELECT p, 1 WHERE NOT EXISTS (SELECT 1 FROM sub WHERE org = p);
END $$;
