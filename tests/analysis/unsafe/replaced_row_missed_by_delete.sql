-- unsafe at: rc
CREATE TABLE u (k int PRIMARY KEY, a int NOT NULL, b int);
CREATE FUNCTION swap_in(i int, n int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN DELETE FROM u WHERE k = i; IF FOUND THEN INSERT INTO u VALUES (i, n, 0); END IF; END $$;
CREATE FUNCTION drop_it(i int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN DELETE FROM u WHERE k = i; END $$;
