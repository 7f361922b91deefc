-- An auction as plain scripts, the way a driver or pgbench would send them.
--
--     assay analyze examples/programs/auction.sql --level si --cycle 2
--
-- close_auction looks for the highest bid, and a bid may arrive that it does not see.

CREATE TABLE auction (
    id     bigint PRIMARY KEY,
    open   boolean NOT NULL,
    winner bigint
);

CREATE TABLE bid (
    id      bigserial PRIMARY KEY,
    auction bigint NOT NULL REFERENCES auction (id),
    bidder  bigint NOT NULL,
    amount  bigint NOT NULL
);

-- transaction: place_bid(lot bigint, who bigint, offer bigint)
INSERT INTO bid (auction, bidder, amount)
SELECT id, :who, :offer FROM auction WHERE id = :lot AND open;

-- transaction: close_auction(lot bigint)
SELECT max(amount) AS highest FROM bid WHERE auction = :lot
\gset
UPDATE auction SET open = false,
                   winner = (SELECT min(bidder) FROM bid WHERE auction = :lot AND amount = :highest)
WHERE id = :lot;

-- transaction: show_auction(lot bigint)
SELECT open, winner FROM auction WHERE id = $1;
SELECT count(*), max(amount) FROM bid WHERE auction = $1;
