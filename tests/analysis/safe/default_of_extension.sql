-- safe at: rc si
-- A dump writes functions of extensions with their schema.
CREATE EXTENSION "uuid-ossp" WITH SCHEMA public;
CREATE TABLE t (id uuid PRIMARY KEY DEFAULT public.uuid_generate_v4(), n int NOT NULL DEFAULT 0);
-- transaction: add(n int)
INSERT INTO t (n) VALUES (:n);
-- transaction: increment(id uuid)
UPDATE t SET n = n + 1 WHERE id = :id;
