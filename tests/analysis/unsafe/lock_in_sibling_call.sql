-- unsafe at: rc
CREATE TABLE sub (org int NOT NULL);
CREATE FUNCTION lk() RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN 1; END $$;
CREATE FUNCTION has(p int) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN EXISTS (SELECT 1 FROM sub WHERE org = p); END $$;
CREATE FUNCTION t(p int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE h boolean; BEGIN
SELECT has(p) INTO h WHERE lk() = 1;
IF NOT h THEN INSERT INTO sub VALUES (p); END IF; END $$;
