-- unsafe at: rc si
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION g(x int) RETURNS int LANGUAGE sql AS 'SELECT n FROM t WHERE id = x';
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE sql AS 'UPDATE t SET n = 0 WHERE id = i AND g(j) > 0';
