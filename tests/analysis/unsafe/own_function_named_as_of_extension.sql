-- unsafe at: rc si
CREATE TABLE z (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION public.digest(k int) RETURNS int LANGUAGE sql AS $$ SELECT n FROM z WHERE id = k $$;
CREATE FUNCTION f(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN UPDATE z SET n = public.digest(i) WHERE id = j; END $$;
