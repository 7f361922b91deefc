-- safe at: si
CREATE TABLE doc (id int PRIMARY KEY, body text NOT NULL, version int NOT NULL);
CREATE FUNCTION edit(i int, b text) RETURNS boolean LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN
 SELECT version INTO v FROM doc WHERE id = i;
 UPDATE doc SET body = b, version = version + 1 WHERE id = i AND version = v; IF NOT FOUND THEN RAISE EXCEPTION 'stale'; END IF; RETURN true; END $$;
