-- unsafe at: rc si
-- There is an index of this name, so the second one is not made.
CREATE TABLE u (id serial PRIMARY KEY, a int NOT NULL, b int NOT NULL);
CREATE INDEX ix ON u (b);
CREATE UNIQUE INDEX IF NOT EXISTS ix ON u (a);
CREATE FUNCTION f(x int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT 1 FROM u WHERE a = x) THEN INSERT INTO u(a, b) VALUES (x, 1); END IF; END $$;
