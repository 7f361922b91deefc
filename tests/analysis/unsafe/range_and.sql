-- unsafe at: rc si
CREATE TABLE b (id int PRIMARY KEY, during daterange NOT NULL);
CREATE FUNCTION f(i int, d daterange) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF NOT EXISTS (SELECT FROM b WHERE during && d) THEN INSERT INTO b VALUES (i, d); END IF; END $$;
