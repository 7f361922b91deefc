-- safe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION take(i int) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN UPDATE t SET n = n - 1 WHERE id = i AND n > 0; RETURN FOUND; END $$;
