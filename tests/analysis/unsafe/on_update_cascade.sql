-- unsafe at: rc si
CREATE TABLE a (id int PRIMARY KEY, code text UNIQUE); CREATE TABLE b (id int PRIMARY KEY, code text REFERENCES a(code) ON UPDATE CASCADE);
CREATE FUNCTION f(x int, y int, c text) RETURNS void LANGUAGE plpgsql AS $$ DECLARE k text; BEGIN
 SELECT code INTO k FROM b WHERE id = y; UPDATE a SET code = k || c WHERE id = x; END $$;
