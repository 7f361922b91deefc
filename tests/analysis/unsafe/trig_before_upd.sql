-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, price int NOT NULL, total int NOT NULL);
CREATE FUNCTION tf() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.total := NEW.price * 2; RETURN NEW; END $$;
CREATE TRIGGER tr BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION tf();
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN
 SELECT total INTO n FROM t WHERE id = i; IF n > 0 THEN UPDATE t SET price = 0 WHERE id = j; END IF; END $$;
