-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE MATERIALIZED VIEW mv AS SELECT sum(n) AS s FROM t;
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; r record; BEGIN SELECT s INTO v FROM mv; IF v > 0 THEN UPDATE t SET n = 0 WHERE id = i; REFRESH MATERIALIZED VIEW mv; END IF; END $$;
