-- unsafe at: rc si
CREATE TABLE t (id serial PRIMARY KEY, tenant int, name text); ALTER TABLE t ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON t USING (tenant = current_setting('app.t')::int);
CREATE FUNCTION add(p_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE n int; BEGIN
 SELECT count(*) INTO n FROM t WHERE name = p_name;
 IF n = 0 THEN INSERT INTO t(name) VALUES (p_name); END IF; END $$;

