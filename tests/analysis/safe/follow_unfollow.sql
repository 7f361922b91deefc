-- safe at: rc si
CREATE TABLE follows (a int, b int, PRIMARY KEY (a, b)); CREATE TABLE users (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION follow(x int, y int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
 INSERT INTO follows VALUES (x, y) ON CONFLICT DO NOTHING; IF FOUND THEN UPDATE users SET n = n + 1 WHERE id = y; END IF; END $$;
CREATE FUNCTION unfollow(x int, y int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
 DELETE FROM follows WHERE a = x AND b = y; IF FOUND THEN UPDATE users SET n = n - 1 WHERE id = y; END IF; END $$;
