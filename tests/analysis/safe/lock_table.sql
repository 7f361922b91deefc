-- safe at: rc
CREATE TABLE b (id serial PRIMARY KEY, room int NOT NULL, day int NOT NULL);
-- transaction: book(r int, d int)
LOCK TABLE b IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO b (room, day) SELECT :r, :d WHERE NOT EXISTS (SELECT FROM b WHERE room = :r AND day = :d);
