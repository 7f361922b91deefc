-- unsafe at: rc si
CREATE TABLE o (id int NOT NULL, k text, st text) PARTITION BY RANGE (id);
CREATE TABLE o1 (id int NOT NULL, st text, k text);
ALTER TABLE ONLY o ATTACH PARTITION o1 FOR VALUES FROM (0) TO (100);
CREATE FUNCTION add(p int) RETURNS void LANGUAGE plpgsql AS $$  BEGIN IF NOT EXISTS (SELECT 1 FROM o WHERE st = 'vip') THEN INSERT INTO o1 VALUES (p, 'vip', 'x'); END IF; END $$;
