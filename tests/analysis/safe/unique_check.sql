-- safe at: rc si
CREATE TABLE users (id serial PRIMARY KEY, email text NOT NULL UNIQUE, n int);
CREATE FUNCTION register(e text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
 IF NOT EXISTS (SELECT 1 FROM users WHERE email = e) THEN INSERT INTO users(email) VALUES (e); END IF; END $$;
