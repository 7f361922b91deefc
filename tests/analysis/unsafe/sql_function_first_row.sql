-- unsafe at: rc
CREATE TABLE d (id int PRIMARY KEY, shift int NOT NULL, on_call bool NOT NULL);
CREATE FUNCTION lk(s int) RETURNS int LANGUAGE sql AS $$ SELECT id FROM d WHERE shift = s FOR UPDATE $$;
CREATE FUNCTION leave(me int, s int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN
 PERFORM lk(s);
 SELECT count(*) INTO n FROM d WHERE shift = s AND on_call;
 IF n > 1 THEN UPDATE d SET on_call = false WHERE id = me AND shift = s; END IF; END $$;
