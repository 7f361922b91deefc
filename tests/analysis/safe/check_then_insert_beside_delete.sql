-- safe at: rc si
CREATE TABLE student (name text PRIMARY KEY);
CREATE FUNCTION add(who text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
 PERFORM 1 FROM student WHERE name = who; IF NOT FOUND THEN INSERT INTO student VALUES (who); END IF; END $$;
CREATE FUNCTION rem(who text) RETURNS void LANGUAGE sql AS $$ DELETE FROM student WHERE name = who $$;
