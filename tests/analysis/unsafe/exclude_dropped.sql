-- unsafe at: rc si
CREATE EXTENSION btree_gist;
CREATE TABLE b (id serial PRIMARY KEY, room int NOT NULL, d daterange NOT NULL, CONSTRAINT c EXCLUDE USING gist (room WITH =, d WITH &&));
ALTER TABLE b DROP CONSTRAINT c;
CREATE FUNCTION f(r int, p daterange) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT FROM b WHERE room = r AND d && p) THEN INSERT INTO b (room, d) VALUES (r, p); END IF; END $$;
