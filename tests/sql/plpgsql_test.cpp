// Control flow of PL/pgSQL: what becomes of branches, jumps, loops and exceptions.
#include <gmock/gmock.h>

#include "support.h"

namespace assay::sql::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string body(const std::string& text) { return statements_of(procedure(text)); }

TEST(Plpgsql, GivesEachAssignmentAVariableOfItsOwn) {
  const auto program =
      procedure("DECLARE x int := 1; BEGIN x := x + 1; UPDATE account SET balance = x; END").programs.at(0);
  EXPECT_EQ(to_text(program, procedure("BEGIN END").schema),
            "p(key integer, amount integer, keys integer[])\n  x := 1\n  x := :x + 1\n  UPDATE account SET "
            "balance = :x\n");
  const auto& first = std::get<Assign>(program.body[0].what);
  const auto& second = std::get<Assign>(program.body[1].what);
  EXPECT_NE(first.variable, second.variable);
  EXPECT_EQ(second.value->kids[0]->variable, first.variable);
}

TEST(Plpgsql, JoinsTheBranchesOfAnIf) {
  EXPECT_EQ(
      body("DECLARE x int; BEGIN IF key > 3 THEN x := 1; ELSIF key > 2 THEN x := 2; ELSE x := 3; END IF;"
           " UPDATE account SET balance = x; END"),
      "IF :key > 3\n  x := 1\nELSE\n  IF :key > 2\n    x := 2\n  ELSE\n    x := 3\n"
      "  x := CASE WHEN :key > 2 THEN :x ELSE :x END\n"
      "x := CASE WHEN :key > 3 THEN :x ELSE :x END\n"
      "UPDATE account SET balance = :x\n");
}

TEST(Plpgsql, PutsWhatFollowsAReturnIntoTheOtherBranch) {
  EXPECT_EQ(body("BEGIN IF key > 3 THEN RETURN; END IF; DELETE FROM log; END"),
            "IF :key > 3\nELSE\n  DELETE FROM log\n");
  EXPECT_EQ(body("BEGIN IF key > 3 THEN DELETE FROM log; IF amount > 1 THEN RETURN; END IF; END IF; DELETE "
                 "FROM account; END"),
            "IF :key > 3\n  DELETE FROM log\n"
            "IF CASE WHEN :key > 3 THEN CASE WHEN :amount > 1 THEN true ELSE false END ELSE false END\n"
            "ELSE\n  DELETE FROM account\n");
  EXPECT_EQ(body("BEGIN RETURN; DELETE FROM log; END"), "");
}

TEST(Plpgsql, KeepsValuesFromBothSidesOfAReturnInALoop) {
  EXPECT_EQ(body("DECLARE x int := 0; BEGIN FOR i IN 1..3 LOOP x := i; EXIT WHEN x = key; DELETE FROM log "
                 "WHERE id = x; END LOOP; END"),
            "FOR i IN 1..3 [may stop early]\n  x := :i\n  IF :x = :key\n  ELSE\n    DELETE FROM log WHERE id "
            "= :x\n");
}

TEST(Plpgsql, KnowsFoundAndRowCount) {
  EXPECT_EQ(
      body("DECLARE n int; BEGIN UPDATE account SET balance = 1; IF NOT FOUND THEN INSERT INTO log VALUES "
           "(1, 1, 1); END IF;"
           " DELETE FROM log; GET DIAGNOSTICS n = ROW_COUNT; IF n > 3 THEN DELETE FROM account; END IF; END"),
      "UPDATE account SET balance = 1; found\nIF NOT (:found)\n  INSERT INTO log VALUES (1, 1, 1)\n"
      "DELETE FROM log\nIF :row_count > 3\n  DELETE FROM account\n");
}

TEST(Plpgsql, AbortsByRaiseAssertAndStrict) {
  EXPECT_EQ(
      body("DECLARE b int; BEGIN SELECT balance INTO STRICT b FROM account; ASSERT b > 0; RAISE NOTICE 'x';"
           " IF b > 5 THEN RAISE EXCEPTION 'rich'; END IF; END"),
      "SELECT balance FROM account INTO b [strict]\nIF :b > 0\nELSE\n  ABORT assertion failed\nIF :b > 5\n  "
      "ABORT rich\n");
}

TEST(Plpgsql, LoopsOverQueriesWithVariablesAndRecords) {
  EXPECT_EQ(body("DECLARE r record; BEGIN FOR r IN SELECT id, balance FROM account LOOP"
                 " UPDATE log SET amount = r.balance WHERE account = r.id; END LOOP; END"),
            "FOR SELECT id, balance FROM account INTO r.id, r.balance\n"
            "  UPDATE log SET amount = :r.balance WHERE account = :r.id\n");
  EXPECT_EQ(body("DECLARE x int; y int; BEGIN FOR x, y IN SELECT id, balance FROM account LOOP DELETE FROM "
                 "log WHERE id = y; END LOOP; END"),
            "FOR SELECT id, balance FROM account INTO x, y\n  DELETE FROM log WHERE id = :y\n");
  EXPECT_EQ(body("DECLARE a account%ROWTYPE; BEGIN SELECT * INTO a FROM account WHERE id = key; DELETE FROM "
                 "log WHERE id = a.balance; END"),
            "SELECT id, balance, owner FROM account WHERE id = :key INTO a.id, a.balance, a.owner [first]\n"
            "DELETE FROM log WHERE id = :a.balance\n");
}

TEST(Plpgsql, LoopsOverArraysIntegersAndConditions) {
  EXPECT_EQ(
      body(
          "DECLARE k bigint; BEGIN FOREACH k IN ARRAY keys LOOP DELETE FROM log WHERE id = k; END LOOP; END"),
      "FOR k IN ARRAY keys\n  DELETE FROM log WHERE id = :k\n");
  EXPECT_EQ(body("BEGIN FOR i IN REVERSE key..1 LOOP DELETE FROM log WHERE id = keys[i]; END LOOP; END"),
            "FOR i IN 1..:key\n  DELETE FROM log WHERE id = (:keys)[:i]\n");
  EXPECT_EQ(body("DECLARE i int := 0; BEGIN WHILE i < key LOOP DELETE FROM log WHERE id = i; i := i + 1; END "
                 "LOOP; END"),
            "i := 0\nWHILE [hands on i]\n  IF CASE WHEN :i < :key THEN false ELSE true END\n  ELSE\n"
            "    DELETE FROM log WHERE id = :i\n    i := :i + 1\n"
            "  i := CASE WHEN CASE WHEN :i < :key THEN false ELSE true END THEN :i ELSE :i END\n");
}

TEST(Plpgsql, NotesValuesThatLoopsCarryOnlyWhenTheyMatter) {
  EXPECT_THAT(notes_of(procedure("DECLARE n int := 0; BEGIN FOR i IN 1..3 LOOP n := n + i; END LOOP; DELETE "
                                 "FROM log WHERE id = n; END")),
              ElementsAre(HasSubstr("n goes from one round of a loop to the next")));
  EXPECT_THAT(notes_of(procedure(
                  "DECLARE n int := 0; BEGIN FOR i IN 1..3 LOOP n := n + i; DELETE FROM log; END LOOP; END")),
              IsEmpty());
}

TEST(Plpgsql, JumpsOverTheRestOfARound) {
  EXPECT_EQ(
      body("BEGIN FOR i IN 1..3 LOOP CONTINUE WHEN i = key; DELETE FROM log WHERE id = i; END LOOP; DELETE "
           "FROM account; END"),
      "FOR i IN 1..3\n  IF :i = :key\n  ELSE\n    DELETE FROM log WHERE id = :i\nDELETE FROM account\n");
  EXPECT_EQ(
      body("BEGIN FOR i IN 1..3 LOOP IF i = key THEN RETURN; END IF; END LOOP; DELETE FROM account; END"),
      "FOR i IN 1..3 [may stop early] [hands on left early]\nIF :left early\nELSE\n  DELETE FROM "
      "account\n");
  EXPECT_EQ(
      body("BEGIN <<outermost>> FOR i IN 1..3 LOOP FOR j IN 1..3 LOOP EXIT outermost WHEN j = key; END LOOP;"
           " DELETE FROM log WHERE id = i; END LOOP; END"),
      "FOR i IN 1..3 [may stop early]\n  FOR j IN 1..3 [may stop early] [hands on left early]\n"
      "  IF :left early\n  ELSE\n    DELETE FROM log WHERE id = :i\n");
}

TEST(Plpgsql, LetsABlockWithHandlersWorkOrFailAsAWhole) {
  const std::string text =
      "DECLARE x int := 0; BEGIN BEGIN INSERT INTO log VALUES (key, 1, 1); x := 1; EXCEPTION WHEN "
      "unique_violation THEN x := 2;"
      " END; UPDATE account SET balance = x; END";
  EXPECT_EQ(body(text),
            "block works := any value\nIF :block works\n  INSERT INTO log VALUES (:key, 1, 1)\n  x "
            ":= 1\nELSE\n"
            "  OPAQUE a block that was rolled back reads log writes \n  handler := any value\n  IF "
            ":handler\n    x := 2\n"
            "  ELSE\n    ABORT an exception that nobody handles\n"
            "  x := CASE WHEN :handler THEN :x ELSE any value END\n"
            "x := CASE WHEN :block works THEN :x ELSE :x END\nUPDATE account SET balance = :x\n");
  EXPECT_THAT(notes_of(procedure(text)),
              testing::Contains(HasSubstr("EXCEPTION: the block may fail anywhere")));
}

TEST(Plpgsql, HidesVariablesOfTheBlockAround) {
  EXPECT_EQ(body("DECLARE x int := 1; BEGIN\nDECLARE x int := 2;\nBEGIN DELETE FROM log WHERE id = x;\nEND; "
                 "DELETE FROM account WHERE id = x; END"),
            "x := 1\nx := 2\nDELETE FROM log WHERE id = :x\nDELETE FROM account WHERE id = :x\n");
  const auto program =
      procedure(
          "DECLARE x int := 1; BEGIN\nDECLARE x int := 2;\nBEGIN DELETE FROM log WHERE id = x;\nEND;"
          " DELETE FROM account WHERE id = x; END")
          .programs.at(0);
  EXPECT_EQ(std::get<Delete>(program.body[3].what).where->kids[1]->variable,
            std::get<Assign>(program.body[0].what).variable);
}

TEST(Plpgsql, ChoosesByCase) {
  EXPECT_EQ(
      body("BEGIN CASE key WHEN 1 THEN DELETE FROM log; WHEN 2, 3 THEN DELETE FROM account; END CASE; END"),
      "IF (:key IN (1))\n  DELETE FROM log\nELSE\n  IF (:key IN (2, 3))\n    DELETE FROM account\n  ELSE\n   "
      " ABORT case not found\n");
}

TEST(Plpgsql, EvaluatesQueriesInConditionsWhereTheyStand) {
  EXPECT_EQ(body("BEGIN IF (SELECT balance FROM account WHERE id = key) > 3 THEN DELETE FROM log; ELSIF "
                 "EXISTS (SELECT 1 FROM log)"
                 " THEN DELETE FROM account; END IF; END"),
            "SELECT balance FROM account WHERE id = :key INTO balance [first]\nIF :balance > 3\n  DELETE "
            "FROM log\nELSE\n"
            "  SELECT 1 FROM log; found [first]\n  IF :exists\n    DELETE FROM account\n");
}

TEST(Plpgsql, DecidesAConditionThatItCannotCalculateOnce) {
  EXPECT_EQ(body("DECLARE x int := 0; BEGIN IF lower('a') = 'b' THEN x := 1; END IF; DELETE FROM log WHERE "
                 "id = x; END"),
            "x := 0\ncondition := lower('a') = 'b'\nIF :condition\n  x := 1\nx := CASE WHEN :condition THEN "
            ":x ELSE :x END\n"
            "DELETE FROM log WHERE id = :x\n");
}

TEST(Plpgsql, TellsTheCallerOutParametersAndResults) {
  EXPECT_EQ(
      statements_of(application(kTables + "CREATE FUNCTION f(a int, OUT b bigint) LANGUAGE plpgsql AS "
                                          "$$BEGIN SELECT balance INTO b FROM account WHERE id = a; END$$;")),
      "SELECT balance FROM account WHERE id = :a INTO b [first]\nEMIT :b\n");
  EXPECT_EQ(statements_of(application(
                kTables + "CREATE FUNCTION f(a int) RETURNS SETOF bigint LANGUAGE plpgsql AS "
                          "$$BEGIN RETURN QUERY SELECT balance FROM account WHERE id = a; RETURN; END$$;")),
            "SELECT balance FROM account WHERE id = :a [all]\n");
}

TEST(Plpgsql, TellsTheCallerEachRowOfReturnNext) {
  EXPECT_EQ(statements_of(application(kTables +
                                      "CREATE FUNCTION f(a int) RETURNS SETOF int LANGUAGE plpgsql AS "
                                      "$$BEGIN RETURN NEXT a + 1; RETURN NEXT a; DELETE FROM log; END$$;")),
            "EMIT :a + 1\nEMIT :a\nDELETE FROM log\n");
}

TEST(Plpgsql, TakesDynamicSqlForAnything) {
  EXPECT_EQ(body("BEGIN EXECUTE 'DELETE FROM log'; END"),
            "OPAQUE EXECUTE reads account, log writes account, log\n");
}

TEST(Plpgsql, PointsAtTheLineOfAStatement) {
  const auto program = application(kTables +
                                   "CREATE PROCEDURE p()\nLANGUAGE plpgsql AS\n$$\nBEGIN\n  DELETE FROM "
                                   "log;\n\n  DELETE FROM account;\n"
                                   "END;\n$$;")
                           .programs.at(0);
  EXPECT_EQ(to_text(program.body.at(0).place), "a.sql:6");
  EXPECT_EQ(to_text(program.body.at(1).place), "a.sql:8");
}

TEST(Plpgsql, RefusesWhatIsNotOneTransaction) {
  EXPECT_THAT(
      error_of(kTables + "CREATE PROCEDURE p() LANGUAGE plpgsql AS $$BEGIN\nCOMMIT; END$$;"),
      HasSubstr(
          "a.sql:3: COMMIT or ROLLBACK inside a procedure (make each transaction a procedure of its own)"));
}

TEST(Plpgsql, SurvivesWhatEndsPostgresqlsParser) {
  EXPECT_EQ(
      statements_of(application(
          kTables + "CREATE PROCEDURE p(a int) BEGIN ATOMIC DELETE FROM log WHERE id = a; SELECT 1; END;")),
      "DELETE FROM log WHERE id = :a\nEMIT 1\n");
  EXPECT_EQ(
      statements_of(application(kTables + "CREATE FUNCTION f(a int) RETURNS int LANGUAGE sql RETURN a + 1;")),
      "EMIT :a + 1\n");
  EXPECT_THAT(
      error_of(kTables + "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql BEGIN ATOMIC SELECT 1; END;"),
      testing::Not(IsEmpty()));
  EXPECT_THAT(error_of(kTables + "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$BEGIN x := ; END$$;"),
              testing::Ne("none"));
}

}  // namespace
}  // namespace assay::sql::test
