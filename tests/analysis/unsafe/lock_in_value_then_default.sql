-- unsafe at: rc
CREATE TABLE sub (org int NOT NULL, c bigint);
CREATE TABLE org (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION cnt() RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT count(*) FROM sub $$;
ALTER TABLE sub ALTER COLUMN c SET DEFAULT cnt();
CREATE FUNCTION lk(p int) RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN p; END $$;
CREATE FUNCTION t(p int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
INSERT INTO sub(org) VALUES (lk(p)); END $$;
