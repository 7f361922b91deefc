-- unsafe at: rc si
CREATE TABLE o (id int PRIMARY KEY, st text, k int NOT NULL);
CREATE FUNCTION f(p int, q int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE r o; BEGIN
 SELECT k, st, id INTO r FROM o WHERE id = p;
 IF r.id = 1 THEN UPDATE o SET k = 2 WHERE id = q; END IF; END $$;
