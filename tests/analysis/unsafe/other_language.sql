-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION h(i int) RETURNS int LANGUAGE plpython3u AS $$ return plpy.execute("SELECT n FROM t WHERE id = 1")[0]["n"] $$;
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN v := h(j); UPDATE t SET n = v WHERE id = i; END $$;
