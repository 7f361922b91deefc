-- unsafe at: rc si
CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE c (id int PRIMARY KEY, p int NOT NULL REFERENCES p);
CREATE FUNCTION add_child(i int, k int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
 PERFORM set_config('session_replication_role', 'replica', true); INSERT INTO c VALUES (i, k); END $$;
CREATE FUNCTION drop_parent(k int) RETURNS void LANGUAGE sql AS $$ DELETE FROM p WHERE id = k $$;
