-- safe at: rc si
-- Of a text that fits into the column nothing is cut.
CREATE TABLE customer (id bigserial PRIMARY KEY, email varchar(255) NOT NULL UNIQUE);
-- transaction: register(email text)
SELECT count(*) AS n FROM customer WHERE email = :email
\gset
INSERT INTO customer (email) SELECT :email WHERE :n = 0;
