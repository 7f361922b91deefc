-- unsafe at: rc
CREATE TABLE u (k int PRIMARY KEY, a int NOT NULL);
CREATE TABLE w (k int PRIMARY KEY, u int REFERENCES u ON DELETE CASCADE, n int NOT NULL);
CREATE FUNCTION swap_in(i int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(1);
    DELETE FROM u WHERE k = i;
    INSERT INTO u VALUES (i, 1);
    INSERT INTO w VALUES (i, i, 0);
END $$;
CREATE FUNCTION touch(i int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE w SET n = 1 WHERE k = i;
    RETURN FOUND;
END $$;
