-- unsafe at: rc si
CREATE TABLE d (id int PRIMARY KEY, on_call bool NOT NULL);
CREATE FUNCTION tf() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
CREATE TRIGGER g BEFORE UPDATE ON d FOR EACH ROW EXECUTE FUNCTION tf();
DROP TRIGGER g ON d;
-- transaction: leave(i int)
UPDATE d SET on_call = false WHERE id = :i AND (SELECT count(*) FROM d WHERE on_call) > 1;
