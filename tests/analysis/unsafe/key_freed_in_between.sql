-- unsafe at: rc
CREATE TABLE t (id serial PRIMARY KEY, e text NOT NULL UNIQUE);
CREATE FUNCTION put(j int, a text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    n int;
BEGIN
    PERFORM pg_advisory_xact_lock(1);
    SELECT count(*) INTO n FROM t WHERE e = a;
    IF n = 0 THEN
        DELETE FROM t WHERE id = j;
        INSERT INTO t (e) VALUES (a);
    END IF;
END $$;
CREATE FUNCTION add(a text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO t (e) VALUES (a);
END $$;
