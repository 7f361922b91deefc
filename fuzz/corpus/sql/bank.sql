-- The bank of paper 004, section 2: a withdrawal that looks at the balance first.
--
--     assay analyze examples/programs/bank.sql --level ec      two withdrawals, one of them lost
--     assay analyze examples/programs/bank.sql --level psi --prove

CREATE TABLE account (
    acc_id  bigint PRIMARY KEY,
    balance bigint NOT NULL
);

CREATE PROCEDURE withdraw(id bigint, amount bigint)
LANGUAGE plpgsql AS $$
DECLARE
    bal bigint;
BEGIN
    SELECT balance INTO bal FROM account WHERE acc_id = id;
    IF bal > amount THEN
        UPDATE account SET balance = bal - amount WHERE acc_id = id;
    END IF;
END;
$$;
