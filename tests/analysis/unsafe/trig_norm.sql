-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, name text NOT NULL);
CREATE FUNCTION tf() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.name = lower(NEW.name); RETURN NEW; END $$;
CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION tf();
CREATE FUNCTION add(p text) RETURNS void LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN SELECT count(*) INTO n FROM t WHERE name = 'a'; IF n = 0 AND p = 'A' THEN INSERT INTO t(name) VALUES (p); END IF; END $$;
