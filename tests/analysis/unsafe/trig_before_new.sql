-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, price int, total int);
CREATE FUNCTION tf() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.total := NEW.price * 2; RETURN NEW; END $$;
CREATE TRIGGER tr BEFORE INSERT OR UPDATE ON t FOR EACH ROW EXECUTE FUNCTION tf();
CREATE FUNCTION add(p int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN
 SELECT count(*) INTO n FROM t WHERE total = 2*p; IF n = 0 THEN INSERT INTO t(price) VALUES (p); END IF; END $$;
