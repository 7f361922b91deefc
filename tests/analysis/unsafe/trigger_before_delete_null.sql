-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, gone bool NOT NULL);
CREATE FUNCTION tf() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE t SET gone = true WHERE id = OLD.id; RETURN NULL; END $$;
CREATE TRIGGER g BEFORE DELETE ON t FOR EACH ROW EXECUTE FUNCTION tf();
-- transaction: drop_one(i int, j int)
DELETE FROM t WHERE id = :i AND EXISTS (SELECT 1 FROM t u WHERE u.id = :j AND NOT u.gone);
