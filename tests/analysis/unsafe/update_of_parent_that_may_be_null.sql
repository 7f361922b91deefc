-- unsafe at: si
CREATE TABLE flight (id int PRIMARY KEY, seats_left int NOT NULL);
CREATE TABLE seat (id serial PRIMARY KEY, flight int REFERENCES flight, customer int NOT NULL);
CREATE FUNCTION book(f int, c int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
 IF NOT EXISTS (SELECT FROM seat WHERE customer = c) THEN
   INSERT INTO seat (flight, customer) VALUES (f, c); UPDATE flight SET seats_left = seats_left - 1 WHERE id = f; END IF; END $$;
