-- unsafe at: rc si
-- The column that is calculated changes with the one that the foreign key sets.
CREATE TABLE p (id int PRIMARY KEY, n int NOT NULL);
CREATE TABLE c (id int PRIMARY KEY, pid int REFERENCES p ON DELETE SET NULL, has int GENERATED ALWAYS AS (coalesce(pid, 0)) STORED);
CREATE TABLE z (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION del() RETURNS void LANGUAGE plpgsql AS $$ DECLARE x int; BEGIN SELECT n INTO x FROM z WHERE id = 1; IF x = 0 THEN DELETE FROM p WHERE id = 1; END IF; END $$;
CREATE FUNCTION rd(k int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE x int; BEGIN SELECT has INTO x FROM c WHERE id = k; IF x <> 0 THEN UPDATE z SET n = 1 WHERE id = 1; END IF; END $$;
