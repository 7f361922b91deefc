-- Courses with limited places: the application of paper 004, section 6.
--
--     assay analyze examples/programs/courseware.sql --level ec --cycle 2

CREATE TABLE student (
    s_name text PRIMARY KEY
);

CREATE TABLE course (
    c_name   text PRIMARY KEY,
    capacity int NOT NULL
);

CREATE TABLE enrolment (
    e_student text,
    e_course  text,
    PRIMARY KEY (e_student, e_course)
);

CREATE PROCEDURE add_student(who text)
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM student WHERE s_name = who) THEN
        INSERT INTO student VALUES (who);
    END IF;
END;
$$;

CREATE PROCEDURE add_course(title text, places int)
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM course WHERE c_name = title) THEN
        INSERT INTO course VALUES (title, places);
    END IF;
END;
$$;

CREATE PROCEDURE enroll(who text, title text)
LANGUAGE plpgsql AS $$
DECLARE
    places int;
    taken  bigint;
BEGIN
    PERFORM 1 FROM student WHERE s_name = who;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT capacity INTO places FROM course WHERE c_name = title;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT count(*) INTO taken FROM enrolment WHERE e_course = title;
    IF taken < places THEN
        INSERT INTO enrolment VALUES (who, title) ON CONFLICT DO NOTHING;
    END IF;
END;
$$;

CREATE PROCEDURE rem_student(who text)
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM enrolment WHERE e_student = who) THEN
        DELETE FROM student WHERE s_name = who;
    END IF;
END;
$$;

CREATE PROCEDURE rem_course(title text)
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM enrolment WHERE e_course = title) THEN
        DELETE FROM course WHERE c_name = title;
    END IF;
END;
$$;
