-- safe at: rc
CREATE TABLE sub (org int NOT NULL);
CREATE FUNCTION once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
PERFORM pg_advisory_xact_lock(1);
IF EXISTS (SELECT 1 FROM sub WHERE org = NEW.org) THEN RAISE EXCEPTION 'there'; END IF;
RETURN NEW; END $$;
CREATE TRIGGER once BEFORE INSERT ON sub FOR EACH ROW EXECUTE FUNCTION once();
-- transaction: t(p int)
INSERT INTO sub VALUES (:p);
