-- unsafe at: rc si
CREATE TABLE d (id int PRIMARY KEY, on_call bool NOT NULL);
CREATE FUNCTION tf() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF (SELECT count(*) FROM d) < 2 THEN RAISE EXCEPTION 'last'; END IF; RETURN OLD; END $$;
CREATE TRIGGER tr BEFORE DELETE ON d FOR EACH ROW EXECUTE FUNCTION tf();
-- transaction: leave(i int)
DELETE FROM d WHERE id = :i;
