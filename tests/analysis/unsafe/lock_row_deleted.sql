-- unsafe at: rc
CREATE TABLE room (id int PRIMARY KEY, name text); CREATE TABLE b (id serial PRIMARY KEY, room int NOT NULL, day int NOT NULL);
-- transaction: book(r int, d int)
SELECT id FROM room WHERE id = 1 FOR UPDATE;
INSERT INTO b (room, day) SELECT :r, :d WHERE NOT EXISTS (SELECT FROM b WHERE room = :r AND day = :d);
-- transaction: drop_room(r int)
DELETE FROM room WHERE id = :r;
