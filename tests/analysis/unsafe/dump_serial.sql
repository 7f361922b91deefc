-- unsafe at: rc si
CREATE TABLE public.t (id integer NOT NULL, name text);
CREATE SEQUENCE public.t_id_seq AS integer START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1;
ALTER SEQUENCE public.t_id_seq OWNED BY public.t.id;
ALTER TABLE ONLY public.t ALTER COLUMN id SET DEFAULT nextval('public.t_id_seq'::regclass);
ALTER TABLE ONLY public.t ADD CONSTRAINT t_pkey PRIMARY KEY (id);
CREATE FUNCTION add(p_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE n int; BEGIN
 SELECT count(*) INTO n FROM t WHERE name = p_name;
 IF n = 0 THEN INSERT INTO t(name) VALUES (p_name); END IF; END $$;

