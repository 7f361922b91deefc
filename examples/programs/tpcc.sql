-- The five transactions of TPC-C, after its public specification; Delivery serves one district.
--
--     assay analyze examples/programs/tpcc.sql --level si --prove

CREATE TABLE warehouse (
    w_id   int PRIMARY KEY,
    w_name varchar(10) NOT NULL,
    w_tax  numeric(4, 4) NOT NULL,
    w_ytd  numeric(12, 2) NOT NULL
);

CREATE TABLE district (
    d_w_id      int REFERENCES warehouse (w_id),
    d_id        int,
    d_name      varchar(10) NOT NULL,
    d_tax       numeric(4, 4) NOT NULL,
    d_ytd       numeric(12, 2) NOT NULL,
    d_next_o_id int NOT NULL,
    PRIMARY KEY (d_w_id, d_id)
);

CREATE TABLE customer (
    c_w_id        int,
    c_d_id        int,
    c_id          int,
    c_first       varchar(16) NOT NULL,
    c_last        varchar(16) NOT NULL,
    c_credit      char(2) NOT NULL,
    c_discount    numeric(4, 4) NOT NULL,
    c_balance     numeric(12, 2) NOT NULL,
    c_ytd_payment numeric(12, 2) NOT NULL,
    c_payment_cnt int NOT NULL,
    c_delivery_cnt int NOT NULL,
    c_data        varchar(500) NOT NULL,
    PRIMARY KEY (c_w_id, c_d_id, c_id)
);

CREATE TABLE history (
    h_c_id   int NOT NULL,
    h_c_d_id int NOT NULL,
    h_c_w_id int NOT NULL,
    h_d_id   int NOT NULL,
    h_w_id   int NOT NULL,
    h_date   timestamp NOT NULL,
    h_amount numeric(6, 2) NOT NULL,
    h_data   varchar(24) NOT NULL
);

CREATE TABLE oorder (
    o_w_id       int,
    o_d_id       int,
    o_id         int,
    o_c_id       int NOT NULL,
    o_entry_d    timestamp NOT NULL,
    o_carrier_id int,
    o_ol_cnt     int NOT NULL,
    o_all_local  boolean NOT NULL,
    PRIMARY KEY (o_w_id, o_d_id, o_id)
);

CREATE TABLE new_order (
    no_w_id int,
    no_d_id int,
    no_o_id int,
    PRIMARY KEY (no_w_id, no_d_id, no_o_id)
);

CREATE TABLE item (
    i_id    int PRIMARY KEY,
    i_name  varchar(24) NOT NULL,
    i_price numeric(5, 2) NOT NULL,
    i_data  varchar(50) NOT NULL
);

CREATE TABLE stock (
    s_w_id       int,
    s_i_id       int,
    s_quantity   int NOT NULL,
    s_ytd        int NOT NULL,
    s_order_cnt  int NOT NULL,
    s_remote_cnt int NOT NULL,
    s_data       varchar(50) NOT NULL,
    PRIMARY KEY (s_w_id, s_i_id)
);

CREATE TABLE order_line (
    ol_w_id        int,
    ol_d_id        int,
    ol_o_id        int,
    ol_number      int,
    ol_i_id        int NOT NULL,
    ol_supply_w_id int NOT NULL,
    ol_delivery_d  timestamp,
    ol_quantity    int NOT NULL,
    ol_amount      numeric(6, 2) NOT NULL,
    PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number)
);

-- Orders the items p_items[i], p_quantities[i] of each, from warehouse p_suppliers[i].
CREATE FUNCTION new_order(p_w_id int, p_d_id int, p_c_id int, p_items int[], p_suppliers int[], p_quantities int[],
                          p_local boolean)
RETURNS numeric
LANGUAGE plpgsql AS $$
DECLARE
    discount numeric;
    credit   char(2);
    w_rate   numeric;
    d_rate   numeric;
    order_id int;
    price    numeric;
    left_over int;
    total    numeric := 0;
BEGIN
    SELECT c_discount, c_credit INTO discount, credit
    FROM customer WHERE c_w_id = p_w_id AND c_d_id = p_d_id AND c_id = p_c_id;
    SELECT w_tax INTO w_rate FROM warehouse WHERE w_id = p_w_id;
    SELECT d_tax, d_next_o_id INTO d_rate, order_id FROM district WHERE d_w_id = p_w_id AND d_id = p_d_id;
    UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = p_w_id AND d_id = p_d_id;
    INSERT INTO oorder (o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local)
    VALUES (p_w_id, p_d_id, order_id, p_c_id, now(), cardinality(p_items), p_local);
    INSERT INTO new_order (no_w_id, no_d_id, no_o_id) VALUES (p_w_id, p_d_id, order_id);

    FOR i IN 1 .. cardinality(p_items) LOOP
        SELECT i_price INTO price FROM item WHERE i_id = p_items[i];
        IF NOT FOUND THEN
            RAISE EXCEPTION 'there is no item %', p_items[i];
        END IF;
        SELECT s_quantity INTO left_over FROM stock WHERE s_w_id = p_suppliers[i] AND s_i_id = p_items[i];
        INSERT INTO order_line (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity, ol_amount)
        VALUES (p_w_id, p_d_id, order_id, i, p_items[i], p_suppliers[i], p_quantities[i], p_quantities[i] * price);
        UPDATE stock
        SET s_quantity = CASE WHEN left_over - p_quantities[i] >= 10 THEN left_over - p_quantities[i]
                              ELSE left_over + 91 - p_quantities[i] END,
            s_ytd = s_ytd + p_quantities[i],
            s_order_cnt = s_order_cnt + 1,
            s_remote_cnt = s_remote_cnt + CASE WHEN p_suppliers[i] = p_w_id THEN 0 ELSE 1 END
        WHERE s_w_id = p_suppliers[i] AND s_i_id = p_items[i];
        total := total + p_quantities[i] * price;
    END LOOP;
    RETURN total * (1 - discount) * (1 + w_rate + d_rate);
END;
$$;

-- The customer is p_c_id or, when that is NULL, the middle one of those called p_last.
CREATE PROCEDURE payment(p_w_id int, p_d_id int, p_c_w_id int, p_c_d_id int, p_c_id int, p_last text, amount numeric)
LANGUAGE plpgsql AS $$
DECLARE
    w_called text;
    d_called text;
    customer_id int := p_c_id;
    credit   char(2);
    remarks  text;
BEGIN
    UPDATE warehouse SET w_ytd = w_ytd + amount WHERE w_id = p_w_id RETURNING w_name INTO w_called;
    UPDATE district SET d_ytd = d_ytd + amount WHERE d_w_id = p_w_id AND d_id = p_d_id
    RETURNING d_name INTO d_called;
    IF customer_id IS NULL THEN
        SELECT c_id INTO customer_id FROM customer
        WHERE c_w_id = p_c_w_id AND c_d_id = p_c_d_id AND c_last = p_last
        ORDER BY c_first
        OFFSET (SELECT count(*) / 2 FROM customer
                WHERE c_w_id = p_c_w_id AND c_d_id = p_c_d_id AND c_last = p_last)
        LIMIT 1;
    END IF;
    UPDATE customer
    SET c_balance = c_balance - amount, c_ytd_payment = c_ytd_payment + amount, c_payment_cnt = c_payment_cnt + 1
    WHERE c_w_id = p_c_w_id AND c_d_id = p_c_d_id AND c_id = customer_id
    RETURNING c_credit, c_data INTO credit, remarks;
    IF credit = 'BC' THEN
        UPDATE customer SET c_data = left(customer_id || ' ' || p_d_id || ' ' || amount || ' ' || remarks, 500)
        WHERE c_w_id = p_c_w_id AND c_d_id = p_c_d_id AND c_id = customer_id;
    END IF;
    INSERT INTO history VALUES (customer_id, p_c_d_id, p_c_w_id, p_d_id, p_w_id, now(), amount,
                                w_called || '    ' || d_called);
END;
$$;

CREATE PROCEDURE order_status(p_w_id int, p_d_id int, p_c_id int, p_last text)
LANGUAGE plpgsql AS $$
DECLARE
    customer_id int := p_c_id;
    owed     numeric;
    order_id int;
    carrier  int;
    line     record;
BEGIN
    IF customer_id IS NULL THEN
        SELECT c_id INTO customer_id FROM customer
        WHERE c_w_id = p_w_id AND c_d_id = p_d_id AND c_last = p_last
        ORDER BY c_first
        OFFSET (SELECT count(*) / 2 FROM customer WHERE c_w_id = p_w_id AND c_d_id = p_d_id AND c_last = p_last)
        LIMIT 1;
    END IF;
    SELECT c_balance INTO owed FROM customer WHERE c_w_id = p_w_id AND c_d_id = p_d_id AND c_id = customer_id;
    SELECT o_id, o_carrier_id INTO order_id, carrier FROM oorder
    WHERE o_w_id = p_w_id AND o_d_id = p_d_id AND o_c_id = customer_id
    ORDER BY o_id DESC LIMIT 1;
    FOR line IN SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line
                WHERE ol_w_id = p_w_id AND ol_d_id = p_d_id AND ol_o_id = order_id LOOP
        RAISE NOTICE '% %', line.ol_i_id, line.ol_quantity;
    END LOOP;
END;
$$;

-- The oldest order of one district that waits to be delivered.
CREATE PROCEDURE delivery(p_w_id int, p_d_id int, carrier int)
LANGUAGE plpgsql AS $$
DECLARE
    order_id int;
    customer_id int;
    amount   numeric;
BEGIN
    SELECT min(no_o_id) INTO order_id FROM new_order WHERE no_w_id = p_w_id AND no_d_id = p_d_id;
    IF order_id IS NULL THEN
        RETURN;
    END IF;
    DELETE FROM new_order WHERE no_w_id = p_w_id AND no_d_id = p_d_id AND no_o_id = order_id;
    SELECT o_c_id INTO customer_id FROM oorder WHERE o_w_id = p_w_id AND o_d_id = p_d_id AND o_id = order_id;
    UPDATE oorder SET o_carrier_id = carrier WHERE o_w_id = p_w_id AND o_d_id = p_d_id AND o_id = order_id;
    UPDATE order_line SET ol_delivery_d = now() WHERE ol_w_id = p_w_id AND ol_d_id = p_d_id AND ol_o_id = order_id;
    SELECT coalesce(sum(ol_amount), 0) INTO amount FROM order_line
    WHERE ol_w_id = p_w_id AND ol_d_id = p_d_id AND ol_o_id = order_id;
    UPDATE customer SET c_balance = c_balance + amount, c_delivery_cnt = c_delivery_cnt + 1
    WHERE c_w_id = p_w_id AND c_d_id = p_d_id AND c_id = customer_id;
END;
$$;

-- How many of the items in the last twenty orders of a district are running low.
CREATE FUNCTION stock_level(p_w_id int, p_d_id int, threshold int) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    next_id int;
    low     bigint;
BEGIN
    SELECT d_next_o_id INTO next_id FROM district WHERE d_w_id = p_w_id AND d_id = p_d_id;
    SELECT count(DISTINCT s_i_id) INTO low
    FROM order_line JOIN stock ON s_w_id = ol_w_id AND s_i_id = ol_i_id
    WHERE ol_w_id = p_w_id AND ol_d_id = p_d_id AND ol_o_id < next_id AND ol_o_id >= next_id - 20
      AND s_quantity < threshold;
    RETURN low;
END;
$$;
