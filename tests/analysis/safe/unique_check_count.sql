-- safe at: rc si
CREATE TABLE users (id int PRIMARY KEY, email text NOT NULL);
CREATE FUNCTION register(i int, e text) RETURNS void LANGUAGE plpgsql AS $$ DECLARE c int; BEGIN
 SELECT count(*) INTO c FROM users WHERE id = i; IF c = 0 THEN INSERT INTO users(id, email) VALUES (i, e); END IF; END $$;
