-- unsafe at: rc
CREATE TABLE sub (org int NOT NULL);
CREATE FUNCTION has(p int) RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT EXISTS (SELECT 1 FROM sub WHERE org = p) $$;
CREATE FUNCTION lk() RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN 1; END $$;
-- transaction: t(p int)
INSERT INTO sub SELECT :p WHERE lk() = 1 AND NOT has(:p);
