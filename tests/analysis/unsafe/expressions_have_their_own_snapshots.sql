-- unsafe at: rc
CREATE TABLE acc (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION move() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
UPDATE acc SET n = 1 WHERE id IN (1, 2); END $$;
CREATE FUNCTION look() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
RAISE NOTICE '% %', (SELECT n FROM acc WHERE id = 1), (SELECT n FROM acc WHERE id = 2); END $$;
