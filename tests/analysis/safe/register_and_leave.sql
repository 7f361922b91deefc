-- safe at: rc si
CREATE TABLE users (id serial PRIMARY KEY, email text NOT NULL UNIQUE);
CREATE FUNCTION register(e text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
 IF EXISTS (SELECT FROM users WHERE email = e) THEN RAISE EXCEPTION 'taken'; END IF; INSERT INTO users (email) VALUES (e); END $$;
CREATE FUNCTION leave(i int) RETURNS void LANGUAGE sql AS $$ DELETE FROM users WHERE id = i $$;
