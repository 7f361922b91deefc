-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, g int NOT NULL);
CREATE FUNCTION tf() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE c int; BEGIN SELECT count(*) INTO c FROM t WHERE g = NEW.g; IF c > 3 THEN RAISE EXCEPTION 'full'; END IF; RETURN NULL; END $$;
CREATE TRIGGER tr AFTER INSERT ON t FOR EACH ROW EXECUTE PROCEDURE tf();
-- transaction: add(p int)
INSERT INTO t(g) VALUES (:p);
