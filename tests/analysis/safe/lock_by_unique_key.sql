-- safe at: rc si
CREATE TABLE account (id int PRIMARY KEY, iban int NOT NULL UNIQUE, balance int NOT NULL);
CREATE FUNCTION take(no int, x int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; k int; BEGIN
 SELECT id, balance INTO k, v FROM account WHERE iban = no FOR UPDATE;
 IF v >= x THEN UPDATE account SET balance = v - x WHERE id = k; END IF; END $$;
