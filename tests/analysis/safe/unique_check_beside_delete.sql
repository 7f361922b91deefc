-- safe at: si
CREATE TABLE users (id serial PRIMARY KEY, email text NOT NULL UNIQUE);
CREATE FUNCTION register(e text) RETURNS void LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN
 SELECT count(*) INTO n FROM users WHERE email = e; IF n = 0 THEN INSERT INTO users (email) VALUES (e); END IF; END $$;
CREATE FUNCTION leave(i int) RETURNS void LANGUAGE sql AS $$ DELETE FROM users WHERE id = i $$;
CREATE FUNCTION rename(i int, e text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
 IF EXISTS (SELECT FROM users WHERE email = e) THEN RETURN; END IF; UPDATE users SET email = e WHERE id = i; END $$;
