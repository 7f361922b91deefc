-- TPC-C's New-Order with each counter read and changed by one statement: what read committed needs.
--
--     assay analyze examples/programs/tpcc.sql examples/programs/tpcc_returning.sql --level rc --programs new_order,payment

CREATE OR REPLACE FUNCTION new_order(p_w_id int, p_d_id int, p_c_id int, p_items int[], p_suppliers int[],
                                     p_quantities int[], p_local boolean)
RETURNS numeric
LANGUAGE plpgsql AS $$
DECLARE
    discount numeric;
    credit   char(2);
    w_rate   numeric;
    d_rate   numeric;
    next_id  int;
    price    numeric;
    total    numeric := 0;
BEGIN
    SELECT c_discount, c_credit INTO discount, credit
    FROM customer WHERE c_w_id = p_w_id AND c_d_id = p_d_id AND c_id = p_c_id;
    SELECT w_tax INTO w_rate FROM warehouse WHERE w_id = p_w_id;
    UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = p_w_id AND d_id = p_d_id
    RETURNING d_tax, d_next_o_id INTO d_rate, next_id;
    INSERT INTO oorder (o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local)
    VALUES (p_w_id, p_d_id, next_id - 1, p_c_id, now(), cardinality(p_items), p_local);
    INSERT INTO new_order (no_w_id, no_d_id, no_o_id) VALUES (p_w_id, p_d_id, next_id - 1);

    FOR i IN 1 .. cardinality(p_items) LOOP
        SELECT i_price INTO price FROM item WHERE i_id = p_items[i];
        IF NOT FOUND THEN
            RAISE EXCEPTION 'there is no item %', p_items[i];
        END IF;
        INSERT INTO order_line (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity, ol_amount)
        VALUES (p_w_id, p_d_id, next_id - 1, i, p_items[i], p_suppliers[i], p_quantities[i], p_quantities[i] * price);
        UPDATE stock
        SET s_quantity = CASE WHEN s_quantity - p_quantities[i] >= 10 THEN s_quantity - p_quantities[i]
                              ELSE s_quantity + 91 - p_quantities[i] END,
            s_ytd = s_ytd + p_quantities[i],
            s_order_cnt = s_order_cnt + 1,
            s_remote_cnt = s_remote_cnt + CASE WHEN p_suppliers[i] = p_w_id THEN 0 ELSE 1 END
        WHERE s_w_id = p_suppliers[i] AND s_i_id = p_items[i];
        total := total + p_quantities[i] * price;
    END LOOP;
    RETURN total * (1 - discount) * (1 + w_rate + d_rate);
END;
$$;
