-- unsafe at: rc
CREATE TABLE d (id int PRIMARY KEY, shift int NOT NULL, on_call bool NOT NULL);
-- transaction: leave(me int, s int)
SELECT id AS x FROM d WHERE shift = :s LIMIT 1 FOR UPDATE
\gset
UPDATE d SET on_call = false WHERE id = :me AND (SELECT count(*) FROM d e WHERE e.shift = :s AND e.on_call) > 1;
