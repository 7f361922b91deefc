-- safe at: rc
CREATE TABLE sub (org int NOT NULL);
CREATE FUNCTION lk(k int) RETURNS void LANGUAGE plpgsql STRICT AS $$ BEGIN PERFORM pg_advisory_xact_lock(k); END $$;
CREATE FUNCTION t(p int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
PERFORM lk(1);
INSERT INTO sub SELECT p WHERE NOT EXISTS (SELECT 1 FROM sub WHERE org = p); END $$;
