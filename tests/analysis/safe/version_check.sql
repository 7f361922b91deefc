-- safe at: rc si
CREATE TABLE doc (id int PRIMARY KEY, body text NOT NULL, version int NOT NULL);
CREATE FUNCTION save(i int, b text, v int) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
 UPDATE doc SET body = b, version = version + 1 WHERE id = i AND version = v; RETURN FOUND; END $$;
