-- Courses with limited places: the application of paper 004, section 6.
--
--     assay analyze examples/programs/courseware.sql --level ec --cycle 2

CREATE TABLE student (
    s_name text PRIMARY KEY
);

CREATE TABLE course (
    c_name text PRIMARY KEY,
    places int NOT NULL  -- that are left
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

CREATE PROCEDURE add_course(title text, capacity int)
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM course WHERE c_name = title) THEN
        INSERT INTO course VALUES (title, capacity);
    END IF;
END;
$$;

CREATE PROCEDURE enroll(who text, title text)
LANGUAGE plpgsql AS $$
DECLARE
    known boolean;
    free  int;
BEGIN
    PERFORM 1 FROM student WHERE s_name = who;
    known := FOUND;
    SELECT places INTO free FROM course WHERE c_name = title;
    IF known AND free > 0 THEN
        UPDATE course SET places = places - 1 WHERE c_name = title;
        INSERT INTO enrolment VALUES (who, title);
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
