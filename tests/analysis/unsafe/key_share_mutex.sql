-- unsafe at: rc
CREATE TABLE room (id int PRIMARY KEY, n int NOT NULL); CREATE TABLE b (id serial PRIMARY KEY, room int NOT NULL, n int NOT NULL);
-- transaction: book(r int)
SELECT n AS v FROM room WHERE id = :r FOR KEY SHARE
\gset
UPDATE room SET n = :v + 1 WHERE id = :r;
