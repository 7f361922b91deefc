-- unsafe at: rc si
CREATE SCHEMA util; CREATE SCHEMA app;
CREATE TABLE app.sub (org int PRIMARY KEY, who int);
CREATE TABLE util.sub (org int NOT NULL, who int);
CREATE FUNCTION app.a(p int, n int) RETURNS void LANGUAGE plpgsql SET search_path = util, app AS $$
BEGIN
  INSERT INTO sub SELECT p, n WHERE NOT EXISTS (SELECT 1 FROM sub WHERE org = p);
END $$;
