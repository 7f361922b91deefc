-- unsafe at: rc
CREATE TABLE sub (org int NOT NULL);
CREATE FUNCTION lk() RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN 1; END $$;
CREATE FUNCTION t(p int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
INSERT INTO sub SELECT p WHERE lk() = 1 AND NOT EXISTS (SELECT 1 FROM sub WHERE org = p); END $$;
