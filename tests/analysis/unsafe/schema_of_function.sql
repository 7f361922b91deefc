-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF (SELECT n FROM t WHERE id = j) > 0 THEN PERFORM app.now(i); END IF; END $$;
