-- safe at: rc si
CREATE TABLE job (id serial PRIMARY KEY, kind text NOT NULL, host text NOT NULL);
-- transaction: after_mail
SELECT count(*) AS n FROM job WHERE kind = 'mail'
\gset
INSERT INTO job (kind, host) SELECT 'print', 'a' WHERE :n = 0;
-- transaction: clear(i int)
DELETE FROM job WHERE id = :i;
