-- safe at: rc
CREATE TABLE room (id int PRIMARY KEY, name text); CREATE TABLE b (id serial PRIMARY KEY, room int NOT NULL, day int NOT NULL);
CREATE FUNCTION book(r int, d int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN
 SELECT id INTO STRICT v FROM room WHERE id = 1 FOR UPDATE;
 INSERT INTO b (room, day) SELECT r, d WHERE NOT EXISTS (SELECT FROM b WHERE room = r AND day = d); END $$;
