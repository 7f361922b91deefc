-- unsafe at: rc
CREATE TABLE u (k int PRIMARY KEY, a int NOT NULL, b int);
CREATE FUNCTION swap_in(i int, n int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(1);
    DELETE FROM u WHERE k = i;
    INSERT INTO u VALUES (i, n, 0);
END $$;
CREATE FUNCTION lock_all() RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    r record;
    n int := 0;
BEGIN
    FOR r IN SELECT k FROM u WHERE k < 9 FOR UPDATE LOOP
        n := n + 1;
    END LOOP;
    RETURN n;
END $$;
