-- safe at: rc si
CREATE TABLE hits (page text PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION hit(p text) RETURNS void LANGUAGE sql AS $$ INSERT INTO hits VALUES (p, 1) ON CONFLICT (page) DO UPDATE SET n = hits.n + 1 $$;
