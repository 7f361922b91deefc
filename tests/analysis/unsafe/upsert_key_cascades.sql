-- unsafe at: rc si
CREATE TABLE once (id int PRIMARY KEY);
CREATE TABLE p (id int PRIMARY KEY, code int NOT NULL UNIQUE);
CREATE TABLE c (id int PRIMARY KEY, code int REFERENCES p(code) ON UPDATE CASCADE);
CREATE TABLE z (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION up(k int, v int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO once VALUES (1);
  IF (SELECT n FROM z WHERE id = 1) = 0 THEN INSERT INTO p VALUES (k, v) ON CONFLICT (id) DO UPDATE SET code = excluded.code; END IF;
END $$;
CREATE FUNCTION rd(k int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF (SELECT code FROM c WHERE id = k) = 7 THEN UPDATE z SET n = 1 WHERE id = 1; END IF; END $$;
