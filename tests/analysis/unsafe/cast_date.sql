-- unsafe at: rc si
CREATE TABLE b (id serial PRIMARY KEY, at timestamp NOT NULL);
CREATE FUNCTION book(t timestamp) RETURNS void LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN
SELECT count(*) INTO n FROM b WHERE at::date = t::date; IF n = 0 THEN INSERT INTO b(at) VALUES (t); END IF; END $$;
