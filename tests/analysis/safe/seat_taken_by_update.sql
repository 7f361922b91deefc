-- safe at: si
CREATE TABLE reservation (id serial PRIMARY KEY, flight int NOT NULL, customer int NOT NULL, seat int NOT NULL, UNIQUE (flight, seat), UNIQUE (flight, customer));
CREATE FUNCTION reserve(f int, c int, s int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
 IF EXISTS (SELECT 1 FROM reservation WHERE flight = f AND seat = s) THEN RAISE EXCEPTION 'taken'; END IF;
 IF EXISTS (SELECT 1 FROM reservation WHERE flight = f AND customer = c) THEN RAISE EXCEPTION 'has one'; END IF;
 INSERT INTO reservation (flight, customer, seat) VALUES (f, c, s); END $$;
CREATE FUNCTION change(r int, f int, c int, s int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE other int; BEGIN
 SELECT id INTO other FROM reservation WHERE flight = f AND seat = s;
 IF FOUND THEN RAISE EXCEPTION 'taken'; END IF;
 UPDATE reservation SET seat = s WHERE id = r AND customer = c AND flight = f; END $$;
CREATE FUNCTION cancel(r int) RETURNS void LANGUAGE sql AS $$ DELETE FROM reservation WHERE id = r $$;
