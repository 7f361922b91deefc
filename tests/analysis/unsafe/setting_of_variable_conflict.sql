-- unsafe at: rc si
SET plpgsql.variable_conflict = 'use_variable';
CREATE TABLE a (id int PRIMARY KEY, n int NOT NULL);
CREATE TABLE b (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION f(n int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN IF EXISTS (SELECT 1 FROM a WHERE a.id = 1 AND a.n <> n) THEN UPDATE b SET n = 1 WHERE id = 1; END IF; END $$;
CREATE FUNCTION g(n int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN IF EXISTS (SELECT 1 FROM b WHERE b.id = 1 AND b.n <> n) THEN UPDATE a SET n = 1 WHERE id = 1; END IF; END $$;
