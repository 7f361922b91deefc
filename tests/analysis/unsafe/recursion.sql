-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION h(i int, d int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF d > 0 THEN RETURN h(i, d - 1); END IF; RETURN (SELECT n FROM t WHERE id = i); END $$;
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN v := h(j, 9); UPDATE t SET n = v WHERE id = i; END $$;
