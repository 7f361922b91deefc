-- unsafe at: rc si
CREATE EXTENSION btree_gist; CREATE TABLE b (id int PRIMARY KEY, room int NOT NULL, during daterange NOT NULL, paid bool NOT NULL, EXCLUDE USING gist (room WITH =, during WITH &&));
CREATE FUNCTION f(i int, r int, d daterange) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT FROM b WHERE paid) THEN INSERT INTO b VALUES (i, r, d, true); END IF; END $$;
