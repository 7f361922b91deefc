-- SmallBank with one read promoted to a write: given after smallbank.sql, it replaces write_check, which now also updates the savings
-- that it read, so that at snapshot isolation it cannot run beside transact_savings unnoticed.
--
--     assay analyze examples/programs/smallbank.sql examples/programs/smallbank_promoted.sql --level si --prove

CREATE OR REPLACE PROCEDURE write_check(customer text, amount bigint)
LANGUAGE plpgsql AS $$
DECLARE
    id          bigint;
    in_savings  bigint;
    in_checking bigint;
BEGIN
    SELECT customer_id INTO STRICT id FROM accounts WHERE name = customer;
    SELECT balance INTO STRICT in_savings FROM savings WHERE customer_id = id;
    UPDATE savings SET balance = balance WHERE customer_id = id;
    SELECT balance INTO STRICT in_checking FROM checking WHERE customer_id = id;
    IF in_savings + in_checking < amount THEN
        UPDATE checking SET balance = balance - (amount + 1) WHERE customer_id = id;
    ELSE
        UPDATE checking SET balance = balance - amount WHERE customer_id = id;
    END IF;
END;
$$;
