-- TPC-C where Payment looks a customer up by name and reads the balances of all who are called so.
--
--     assay analyze examples/programs/tpcc.sql examples/programs/tpcc_by_name.sql --level si --cycle 3

CREATE OR REPLACE PROCEDURE payment(p_w_id int, p_d_id int, p_c_w_id int, p_c_d_id int, p_c_id int, p_last text,
                                    amount numeric)
LANGUAGE plpgsql AS $$
DECLARE
    w_called text;
    d_called text;
    customer_id int := p_c_id;
    namesake record;
BEGIN
    UPDATE warehouse SET w_ytd = w_ytd + amount WHERE w_id = p_w_id RETURNING w_name INTO w_called;
    UPDATE district SET d_ytd = d_ytd + amount WHERE d_w_id = p_w_id AND d_id = p_d_id
    RETURNING d_name INTO d_called;
    IF customer_id IS NULL THEN
        FOR namesake IN SELECT c_id, c_balance FROM customer
                        WHERE c_w_id = p_c_w_id AND c_d_id = p_c_d_id AND c_last = p_last LOOP
            RAISE NOTICE 'customer % owes %', namesake.c_id, namesake.c_balance;
        END LOOP;
        SELECT min(c_id) INTO customer_id FROM customer
        WHERE c_w_id = p_c_w_id AND c_d_id = p_c_d_id AND c_last = p_last;
    END IF;
    UPDATE customer
    SET c_balance = c_balance - amount, c_ytd_payment = c_ytd_payment + amount, c_payment_cnt = c_payment_cnt + 1
    WHERE c_w_id = p_c_w_id AND c_d_id = p_c_d_id AND c_id = customer_id;
    INSERT INTO history VALUES (customer_id, p_c_d_id, p_c_w_id, p_d_id, p_w_id, now(), amount,
                                w_called || '    ' || d_called);
END;
$$;

CREATE OR REPLACE PROCEDURE order_status(p_w_id int, p_d_id int, p_last text)
LANGUAGE plpgsql AS $$
DECLARE
    namesake record;
    order_id int;
    line     record;
BEGIN
    FOR namesake IN SELECT c_id, c_first, c_balance FROM customer
                    WHERE c_w_id = p_w_id AND c_d_id = p_d_id AND c_last = p_last LOOP
        SELECT max(o_id) INTO order_id FROM oorder
        WHERE o_w_id = p_w_id AND o_d_id = p_d_id AND o_c_id = namesake.c_id;
        FOR line IN SELECT ol_i_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line
                    WHERE ol_w_id = p_w_id AND ol_d_id = p_d_id AND ol_o_id = order_id LOOP
            RAISE NOTICE '% %', line.ol_i_id, line.ol_quantity;
        END LOOP;
    END LOOP;
END;
$$;
