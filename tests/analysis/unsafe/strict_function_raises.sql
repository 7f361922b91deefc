-- unsafe at: rc si
CREATE TABLE org (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION chk(p int) RETURNS void LANGUAGE plpgsql STRICT AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
CREATE FUNCTION a(p int, q int, w int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM chk(w);
  IF (SELECT n FROM org WHERE id = p) > 0 THEN UPDATE org SET n = 0 WHERE id = q; END IF;
END $$;
