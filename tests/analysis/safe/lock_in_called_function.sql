-- safe at: rc
CREATE TABLE sub (org int NOT NULL);
CREATE FUNCTION lk() RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN 1; END $$;
CREATE FUNCTION guarded(p int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
PERFORM lk();
INSERT INTO sub SELECT p WHERE NOT EXISTS (SELECT 1 FROM sub WHERE org = p); END $$;
CREATE FUNCTION t(p int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN PERFORM guarded(p); END $$;
