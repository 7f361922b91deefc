-- safe at: rc si
CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE c (id int PRIMARY KEY, p int NOT NULL REFERENCES p);
CREATE FUNCTION add_child(i int, k int) RETURNS void LANGUAGE sql AS $$ INSERT INTO c VALUES (i, k) $$;
CREATE FUNCTION drop_parent(k int) RETURNS void LANGUAGE sql AS $$ DELETE FROM p WHERE id = k $$;
