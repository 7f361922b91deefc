-- unsafe at: rc si
CREATE FUNCTION gen_random_uuid() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT count(*) FROM job); END $$;
CREATE TABLE job (id int, k text DEFAULT gen_random_uuid());
-- transaction: add(i int)
INSERT INTO job (id) VALUES (:i);
