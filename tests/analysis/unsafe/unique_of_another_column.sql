-- unsafe at: rc si
CREATE TABLE users (id serial PRIMARY KEY, email text NOT NULL UNIQUE, phone text NOT NULL);
CREATE FUNCTION register(e text, p text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
 IF NOT EXISTS (SELECT 1 FROM users WHERE phone = p) THEN INSERT INTO users(email, phone) VALUES (e, p); END IF; END $$;
