-- unsafe at: rc
CREATE TABLE sub (org int NOT NULL);
CREATE FUNCTION hashtext(p text) RETURNS int LANGUAGE sql AS $$ SELECT (random() * 9)::int $$;
CREATE FUNCTION a(p int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
PERFORM pg_advisory_xact_lock(hashtext('sub'));
INSERT INTO sub SELECT p WHERE NOT EXISTS (SELECT 1 FROM sub WHERE org = p); END $$;
