-- unsafe at: rc si
CREATE TABLE job (id int PRIMARY KEY, st text NOT NULL);
CREATE TABLE l (id int, w int);
CREATE FUNCTION take(me int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN
 SELECT id INTO v FROM job WHERE st = 'new' AND id = 1 FOR UPDATE SKIP LOCKED;
 INSERT INTO l VALUES (v, me); END $$;
