-- TPC-C with one Delivery for all districts of a warehouse: the third way of the specification, and unsafe at
-- snapshot isolation.
--
--     assay analyze examples/programs/tpcc.sql examples/programs/tpcc_all_districts.sql --level si --cycle 4

CREATE OR REPLACE PROCEDURE delivery(p_w_id int, carrier int)
LANGUAGE plpgsql AS $$
DECLARE
    place    int;
    order_id int;
    customer_id int;
    amount   numeric;
BEGIN
    FOR place IN SELECT d_id FROM district WHERE d_w_id = p_w_id LOOP
        SELECT min(no_o_id) INTO order_id FROM new_order WHERE no_w_id = p_w_id AND no_d_id = place;
        CONTINUE WHEN order_id IS NULL;
        DELETE FROM new_order WHERE no_w_id = p_w_id AND no_d_id = place AND no_o_id = order_id;
        SELECT o_c_id INTO customer_id FROM oorder WHERE o_w_id = p_w_id AND o_d_id = place AND o_id = order_id;
        UPDATE oorder SET o_carrier_id = carrier WHERE o_w_id = p_w_id AND o_d_id = place AND o_id = order_id;
        UPDATE order_line SET ol_delivery_d = now()
        WHERE ol_w_id = p_w_id AND ol_d_id = place AND ol_o_id = order_id;
        SELECT coalesce(sum(ol_amount), 0) INTO amount FROM order_line
        WHERE ol_w_id = p_w_id AND ol_d_id = place AND ol_o_id = order_id;
        UPDATE customer SET c_balance = c_balance + amount, c_delivery_cnt = c_delivery_cnt + 1
        WHERE c_w_id = p_w_id AND c_d_id = place AND c_id = customer_id;
    END LOOP;
END;
$$;
