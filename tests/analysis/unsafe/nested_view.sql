-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE VIEW v1 AS SELECT id AS k, n AS s FROM t; CREATE VIEW vv AS SELECT k, s FROM v1;
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; r record; BEGIN SELECT s INTO v FROM vv WHERE k = j; IF v > 0 THEN UPDATE t SET n = 0 WHERE id = i; END IF; END $$;
