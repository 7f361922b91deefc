-- unsafe at: rc si
CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE t (id serial PRIMARY KEY, e text NOT NULL, n int NOT NULL); CREATE UNIQUE INDEX u ON t (e COLLATE ci);
CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT n INTO v FROM t WHERE e = 'x'; INSERT INTO t(e, n) VALUES ('A', v) ON CONFLICT (e COLLATE ci) DO UPDATE SET n = v; END $$;
CREATE FUNCTION g() RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN SELECT n INTO v FROM t WHERE e = 'a'; UPDATE t SET n = v WHERE e = 'x'; END $$;
