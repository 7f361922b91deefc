-- unsafe at: rc si
CREATE TABLE b (at timestamp PRIMARY KEY, who int NOT NULL);
CREATE FUNCTION book(t timestamp, w int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT FROM b WHERE date_trunc('day', at) = date_trunc('day', t)) THEN INSERT INTO b VALUES (t, w); END IF; END $$;
