-- SmallBank: a savings and a checking account for each customer.
--
--     assay analyze examples/programs/smallbank.sql --level si --cycle 3
--
-- At snapshot isolation a balance enquiry can see a deposit into savings, but not the cheque that was written,
-- and charged a penalty, because it did not see that deposit.

CREATE TABLE accounts (
    name        text PRIMARY KEY,
    customer_id bigint NOT NULL
);

CREATE TABLE savings (
    customer_id bigint PRIMARY KEY,
    balance     bigint NOT NULL
);

CREATE TABLE checking (
    customer_id bigint PRIMARY KEY,
    balance     bigint NOT NULL
);

CREATE FUNCTION balance(customer text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    id        bigint;
    in_savings  bigint;
    in_checking bigint;
BEGIN
    SELECT customer_id INTO STRICT id FROM accounts WHERE name = customer;
    SELECT s.balance INTO STRICT in_savings FROM savings s WHERE s.customer_id = id;
    SELECT c.balance INTO STRICT in_checking FROM checking c WHERE c.customer_id = id;
    RETURN in_savings + in_checking;
END;
$$;

CREATE PROCEDURE deposit_checking(customer text, amount bigint)
LANGUAGE plpgsql AS $$
DECLARE
    id bigint;
BEGIN
    IF amount < 0 THEN
        RAISE EXCEPTION 'a negative amount';
    END IF;
    SELECT customer_id INTO STRICT id FROM accounts WHERE name = customer;
    UPDATE checking SET balance = balance + amount WHERE customer_id = id;
END;
$$;

CREATE PROCEDURE transact_savings(customer text, amount bigint)
LANGUAGE plpgsql AS $$
DECLARE
    id         bigint;
    in_savings bigint;
BEGIN
    SELECT customer_id INTO STRICT id FROM accounts WHERE name = customer;
    SELECT balance INTO STRICT in_savings FROM savings WHERE customer_id = id;
    IF in_savings + amount < 0 THEN
        RAISE EXCEPTION 'not enough in savings';
    END IF;
    UPDATE savings SET balance = balance + amount WHERE customer_id = id;
END;
$$;

CREATE PROCEDURE amalgamate(giver text, taker text)
LANGUAGE plpgsql AS $$
DECLARE
    from_id     bigint;
    to_id       bigint;
    in_savings  bigint;
    in_checking bigint;
BEGIN
    SELECT customer_id INTO STRICT from_id FROM accounts WHERE name = giver;
    SELECT customer_id INTO STRICT to_id FROM accounts WHERE name = taker;
    SELECT balance INTO STRICT in_savings FROM savings WHERE customer_id = from_id;
    SELECT balance INTO STRICT in_checking FROM checking WHERE customer_id = from_id;
    UPDATE savings SET balance = 0 WHERE customer_id = from_id;
    UPDATE checking SET balance = 0 WHERE customer_id = from_id;
    UPDATE checking SET balance = balance + in_savings + in_checking WHERE customer_id = to_id;
END;
$$;

CREATE PROCEDURE write_check(customer text, amount bigint)
LANGUAGE plpgsql AS $$
DECLARE
    id          bigint;
    in_savings  bigint;
    in_checking bigint;
BEGIN
    SELECT customer_id INTO STRICT id FROM accounts WHERE name = customer;
    SELECT balance INTO STRICT in_savings FROM savings WHERE customer_id = id;
    SELECT balance INTO STRICT in_checking FROM checking WHERE customer_id = id;
    IF in_savings + in_checking < amount THEN
        UPDATE checking SET balance = balance - (amount + 1) WHERE customer_id = id;
    ELSE
        UPDATE checking SET balance = balance - amount WHERE customer_id = id;
    END IF;
END;
$$;
