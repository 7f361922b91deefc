-- unsafe at: rc
CREATE TABLE u (k int PRIMARY KEY, a int NOT NULL, b int);
CREATE FUNCTION swap_in(i int, n int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(1);
    DELETE FROM u WHERE k = i;
    INSERT INTO u VALUES (i, n, 0);
END $$;
CREATE FUNCTION touch(i int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE u SET b = 1 WHERE k = i;
    RETURN FOUND;
END $$;
