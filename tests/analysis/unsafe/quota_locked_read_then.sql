-- unsafe at: si
CREATE TABLE g (id int PRIMARY KEY, lim int NOT NULL); CREATE TABLE m (gid int REFERENCES g, uid int, PRIMARY KEY (gid, uid));
CREATE FUNCTION join_group(x int, u int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE l int; BEGIN SELECT lim INTO STRICT l FROM g WHERE id = x FOR UPDATE; IF (SELECT count(*) FROM m WHERE gid = x) < l THEN INSERT INTO m VALUES (x, u); END IF; END $$;
