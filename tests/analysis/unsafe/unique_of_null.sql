-- unsafe at: rc si
CREATE TABLE users (id serial PRIMARY KEY, email text UNIQUE);
CREATE FUNCTION register() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
 IF NOT EXISTS (SELECT 1 FROM users WHERE email IS NULL) THEN INSERT INTO users(email) VALUES (NULL); END IF; END $$;
