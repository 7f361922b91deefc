-- Followers and tweets: two counters that have to agree with the rows that they count.
--
--     assay analyze examples/programs/twitter.sql

CREATE TABLE users (
    id        bigint PRIMARY KEY,
    name      text NOT NULL UNIQUE,
    followers int NOT NULL DEFAULT 0,
    last_tweet bigint
);

CREATE TABLE follows (
    follower bigint REFERENCES users (id),
    followee bigint REFERENCES users (id),
    PRIMARY KEY (follower, followee)
);

CREATE TABLE tweets (
    id      bigserial PRIMARY KEY,
    author  bigint NOT NULL REFERENCES users (id),
    body    text NOT NULL,
    created timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION tweet(who bigint, words text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    new_id bigint;
BEGIN
    INSERT INTO tweets (author, body) VALUES (who, words) RETURNING id INTO new_id;
    UPDATE users SET last_tweet = new_id WHERE id = who;
    RETURN new_id;
END;
$$;

CREATE PROCEDURE follow(who bigint, whom bigint)
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO follows VALUES (who, whom) ON CONFLICT DO NOTHING;
    IF FOUND THEN
        UPDATE users SET followers = followers + 1 WHERE id = whom;
    END IF;
END;
$$;

CREATE PROCEDURE unfollow(who bigint, whom bigint)
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM follows WHERE follower = who AND followee = whom;
    IF FOUND THEN
        UPDATE users SET followers = followers - 1 WHERE id = whom;
    END IF;
END;
$$;

CREATE FUNCTION timeline(who bigint) RETURNS TABLE (author bigint, body text)
LANGUAGE sql AS $$
    SELECT t.author, t.body
    FROM follows f
    JOIN users u ON u.id = f.followee
    JOIN tweets t ON t.id = u.last_tweet
    WHERE f.follower = who;
$$;

CREATE FUNCTION profile(who bigint) RETURNS TABLE (name text, followers int, listed bigint)
LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY
    SELECT u.name, u.followers, (SELECT count(*) FROM follows WHERE followee = who) FROM users u WHERE u.id = who;
END;
$$;
