-- safe at: rc si
CREATE TABLE account (id int PRIMARY KEY, balance numeric NOT NULL);
CREATE FUNCTION transfer(a int, b int, x numeric) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v numeric; w numeric; BEGIN
 SELECT balance INTO v FROM account WHERE id = a FOR UPDATE;
 SELECT balance INTO w FROM account WHERE id = b FOR UPDATE;
 IF v >= x THEN UPDATE account SET balance = v - x WHERE id = a; UPDATE account SET balance = w + x WHERE id = b; END IF; END $$;
