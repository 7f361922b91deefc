-- unsafe at: rc
CREATE TABLE u (k int PRIMARY KEY, a int NOT NULL, b int);
CREATE FUNCTION swap_in(i int, n int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN DELETE FROM u WHERE k = i; IF FOUND THEN INSERT INTO u VALUES (i, n, 0); END IF; END $$;
CREATE FUNCTION look(i int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN SELECT a INTO n FROM u WHERE k = i FOR UPDATE; RETURN n; END $$;
