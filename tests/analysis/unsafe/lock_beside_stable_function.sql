-- unsafe at: rc
CREATE TABLE sub (org int NOT NULL);
CREATE FUNCTION has(p int) RETURNS boolean LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN EXISTS (SELECT 1 FROM sub WHERE org = p); END $$;
CREATE FUNCTION lk() RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN 1; END $$;
CREATE FUNCTION t(p int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE x int; h boolean; BEGIN
SELECT lk(), has(p) INTO x, h;
IF NOT h THEN INSERT INTO sub VALUES (p); END IF; END $$;
