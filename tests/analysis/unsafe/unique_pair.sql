-- unsafe at: rc si
CREATE TABLE seat (id serial PRIMARY KEY, flight int NOT NULL, seat int NOT NULL, UNIQUE (flight, seat));
CREATE FUNCTION book(f int, s int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
 IF NOT EXISTS (SELECT 1 FROM seat WHERE flight = f) THEN INSERT INTO seat(flight, seat) VALUES (f, s); END IF; END $$;
