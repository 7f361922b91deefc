-- safe at: rc
CREATE TABLE acc (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION take(i int, x int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN PERFORM pg_advisory_xact_lock(i); SELECT n INTO v FROM acc WHERE id = i; IF v >= x THEN UPDATE acc SET n = v - x WHERE id = i; END IF; END $$;
