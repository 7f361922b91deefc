-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE k int; BEGIN FOREACH k IN ARRAY (SELECT array_agg(n) FROM t WHERE id = j) LOOP UPDATE t SET n = 7 WHERE id = i; END LOOP; END $$;
