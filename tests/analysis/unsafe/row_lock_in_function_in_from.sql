-- unsafe at: rc
CREATE TABLE account (id int PRIMARY KEY, bal int NOT NULL);
CREATE FUNCTION lock_account(p int) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM 1 FROM account WHERE id = p FOR UPDATE; RETURN FOUND; END $$;
CREATE FUNCTION withdraw(p int, amt int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE b int; BEGIN
 SELECT a.bal INTO STRICT b FROM lock_account(p) l, account a WHERE a.id = p;
 IF b >= amt THEN UPDATE account SET bal = b - amt WHERE id = p; END IF; END $$;
