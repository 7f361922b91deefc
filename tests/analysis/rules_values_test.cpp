// One small application per rule about what programs know: variables, results of queries, rounds of loops.
// Without the rule a statement that never runs, or never on that row, would be part of a cycle.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/rules.h"

namespace assay::analysis {
namespace {

// A function of x and y with these statements; `v`, `n` and `m` are integers.
std::string function(const std::string& name, const std::string& body) {
  return "CREATE FUNCTION " + name + "(x int, y int, many int[]) RETURNS void LANGUAGE plpgsql AS $$\n" +
         "DECLARE v int; n int; m int; r record;\nBEGIN\n" + body + "\nEND; $$;\n";
}
const std::string kCount = "UPDATE u SET a = a + 1 WHERE k = 1;";

// Whether an update of a row that stands behind these statements can be lost.
bool runs_after(const std::string& statements) {
  const auto application = read(kTables + function("f", statements + "\n" + kCount) + function("g", kCount));
  return has(look(application, "ec", 2), application, {"f", "g"});
}
bool runs_if(const std::string& statements, const std::string& condition) {
  return runs_after(statements + "\nIF (" + condition + ") IS NOT TRUE THEN RETURN; END IF;");
}

TEST(ValueRule, AnExceptionEndsTheTransaction) {
  EXPECT_TRUE(runs_after("IF x > y THEN RAISE EXCEPTION 'no'; END IF;"));
  EXPECT_FALSE(runs_after("IF x >= y OR x < y OR x IS NULL OR y IS NULL THEN RAISE EXCEPTION 'no'; END IF;"));
}

TEST(ValueRule, AVariableHasTheValueThatWasAssigned) {
  EXPECT_TRUE(runs_if("n := x + 1;", "n > y"));
  EXPECT_FALSE(runs_if("n := x + 1;", "n <= x"));
}

TEST(ValueRule, AStrictQueryThatFindsNothingEndsTheTransaction) {
  EXPECT_TRUE(runs_after("SELECT a INTO STRICT v FROM t WHERE k = x;"));
  EXPECT_FALSE(runs_after("SELECT a INTO STRICT v FROM t WHERE k = x AND k <> x;"));
}

TEST(ValueRule, WhatWasFoundSatisfiesTheCondition) {
  EXPECT_TRUE(runs_if("SELECT k INTO v FROM t WHERE k > x;", "v > y"));
  EXPECT_FALSE(runs_if("SELECT k INTO v FROM t WHERE k > x;", "v <= x"));
}

TEST(ValueRule, WhatWasNotFoundIsNull) {
  EXPECT_FALSE(runs_if("SELECT a INTO v FROM t WHERE k = x AND k <> x;", "v IS NOT NULL"));
  EXPECT_TRUE(runs_if("SELECT a INTO v FROM t WHERE k = x;", "v IS NULL"));
}

TEST(ValueRule, WhatIsThereIsFound) {
  EXPECT_FALSE(
      runs_if("SELECT k INTO STRICT v FROM t WHERE k = x;\nPERFORM 1 FROM t WHERE k = x;", "NOT FOUND"));
  EXPECT_TRUE(
      runs_if("SELECT k INTO STRICT v FROM t WHERE k = x;\nPERFORM 1 FROM t WHERE k = y;", "NOT FOUND"));
}

TEST(ValueRule, ACountIsPositiveIfSomethingIsFound) {
  EXPECT_FALSE(runs_if("SELECT count(*) INTO n FROM t WHERE k = x AND k <> x;", "n > 0"));
  EXPECT_FALSE(runs_if("SELECT count(*) INTO n FROM t WHERE k = x;", "n < 0 OR n IS NULL"));
  EXPECT_TRUE(runs_if("SELECT count(*) INTO n FROM t WHERE k = x;", "n = 0"));
}

TEST(ValueRule, FoundAndRowCountTellWhetherAStatementFoundRows) {
  EXPECT_FALSE(runs_if("UPDATE t SET a = 0 WHERE k = x AND k <> x;", "FOUND"));
  EXPECT_TRUE(runs_if("UPDATE t SET a = 0 WHERE k = x;", "FOUND"));
  EXPECT_FALSE(
      runs_if("UPDATE t SET a = 0 WHERE k = x AND k <> x;\nGET DIAGNOSTICS n = ROW_COUNT;", "n > 0"));
  EXPECT_TRUE(runs_if("UPDATE t SET a = 0 WHERE k = x;\nGET DIAGNOSTICS n = ROW_COUNT;", "n > 0"));
  EXPECT_FALSE(
      runs_if("SELECT k INTO STRICT v FROM t WHERE k = x;\nUPDATE t SET a = 0 WHERE k = x;", "NOT FOUND"));
  EXPECT_FALSE(runs_if("INSERT INTO t VALUES (x, 0, 0);", "NOT FOUND"));
}

TEST(ValueRule, AnInsertThatMeetsItsKeyDoesNothing) {
  const std::string insert = "INSERT INTO t VALUES (x, 0, 0) ON CONFLICT DO NOTHING;";
  EXPECT_FALSE(runs_if("SELECT k INTO STRICT v FROM t WHERE k = x;\n" + insert, "FOUND"));
  EXPECT_TRUE(runs_if("SELECT k INTO STRICT v FROM t WHERE k = y;\n" + insert, "FOUND"));
}

TEST(ValueRule, ReturningGivesTheNewRow) {
  EXPECT_FALSE(runs_if("UPDATE t SET a = y WHERE k = x RETURNING a INTO v;", "v <> y"));
  EXPECT_FALSE(runs_if("INSERT INTO t VALUES (x, y, 0) RETURNING a INTO v;", "v <> y"));
  EXPECT_FALSE(runs_if("UPDATE t SET a = y WHERE k = x AND k <> x RETURNING a INTO v;", "v IS NOT NULL"));
}

TEST(ValueRule, ATransactionSeesItsOwnWrites) {
  EXPECT_TRUE(
      runs_after("IF EXISTS (SELECT 1 FROM t WHERE k = x) THEN RAISE EXCEPTION 'no'; END IF;\n"
                 "INSERT INTO t VALUES (x, 0, 0);\nSELECT k INTO STRICT v FROM t WHERE k = x;"));
  EXPECT_FALSE(
      runs_after("IF EXISTS (SELECT 1 FROM t WHERE k = x) THEN RAISE EXCEPTION 'no'; END IF;\n"
                 "INSERT INTO t VALUES (x + 1, 0, 0);\nSELECT k INTO STRICT v FROM t WHERE k = x;"));
}

// What it read before it wrote is not what it reads now.
TEST(ValueRule, OwnWritesHideWhatWasThere) {
  const std::string before =
      "SELECT a INTO STRICT v FROM t WHERE k = x;\nIF v <> 0 THEN RAISE EXCEPTION 'no'; END IF;\n";
  const std::string again = "SELECT a INTO STRICT n FROM t WHERE k = x;\n";
  EXPECT_FALSE(runs_if(before + again, "n = 1"));
  EXPECT_TRUE(runs_if(before + "UPDATE t SET a = 1 WHERE k = x;\n" + again, "n = 1"));
}

// Everything about rows that are not the ones that a query picked: of the rows that edges are about.
TEST(ValueRule, AQueryThatFindsNothingSaysSoAboutEveryRow) {
  const auto application = read("CREATE TABLE t (k int PRIMARY KEY, a int NOT NULL, kind int NOT NULL);\n" +
                                function("idle",
                                         "IF EXISTS (SELECT 1 FROM t WHERE kind = 5) THEN RAISE "
                                         "EXCEPTION 'no'; END IF;\n"
                                         "UPDATE t SET a = a + 1 WHERE k = x;") +
                                function("busy", "UPDATE t SET a = a + 1 WHERE kind = 5;"));
  const Analysis analysis = look(application, "ec", 2);
  EXPECT_FALSE(has(analysis, application, {"idle", "busy"}));
  EXPECT_TRUE(has(analysis, application, {"busy", "busy"}));
}

TEST(ValueRule, AMinimumSaysThatThereIsNothingSmaller) {
  const auto after = [](const std::string& condition) {
    const auto application =
        read(kTable + function("f", "SELECT min(k) INTO n FROM t;\nIF " + condition +
                                        " THEN UPDATE t SET a = a + 1 WHERE k = 3; END IF;"));
    return has(look(application, "ec", 2), application, {"f", "f"});
  };
  EXPECT_FALSE(after("n > 3"));
  EXPECT_TRUE(after("n <= 3"));
}

TEST(ValueRule, AMinimumDependsOnTheRowThatItIs) {
  const auto with = [](const char* row) {
    return read(kTables +
                function("lowest",
                         "SELECT min(k) INTO n FROM t;\nIF n = 1 THEN UPDATE u SET a = 1 "
                         "WHERE k = 1; END IF;") +
                function("remover", "SELECT a INTO v FROM u WHERE k = 1;\nDELETE FROM t WHERE k = " +
                                        std::string(row) + ";"));
  };
  const Options any{.initial_rows = InitialRows::Any};
  EXPECT_TRUE(has(look(with("1"), "si", 2, any), with("1"), {"lowest", "remover"}));
  EXPECT_FALSE(has(look(with("2"), "si", 2, any), with("2"), {"lowest", "remover"}));
}

// Who takes a row does not depend on what becomes of those behind it; of those before it he does.
TEST(ValueRule, AMinimumDoesNotDependOnLargerRows) {
  const auto with = [](const std::string& query, const std::string& level) {
    const auto application =
        read(kTable + function("take", query + "\nIF v IS NOT NULL THEN UPDATE t SET b = 1 "
                                               "WHERE k = v; END IF;"));
    return has(look(application, level, 2), application, {"take", "take"});
  };
  EXPECT_FALSE(with("SELECT k INTO v FROM t WHERE b = 0 ORDER BY k LIMIT 1 FOR UPDATE SKIP LOCKED;", "si"));
  EXPECT_FALSE(with("SELECT min(k) INTO v FROM t WHERE b = 0;", "si"));
  EXPECT_TRUE(with("SELECT k INTO v FROM t WHERE b = 0 AND k >= x LIMIT 1;", "si"));
  EXPECT_TRUE(with("SELECT min(k) INTO v FROM t WHERE b = 0;", "ec"));

  const auto given_back = [](const std::string& row) {
    const auto application =
        read(kTables +
             function("take",
                      "SELECT min(k) INTO v FROM t WHERE b = 0;\nIF v = 5 THEN UPDATE u SET a = 1 WHERE k = "
                      "1; END IF;") +
             function("give", "PERFORM a FROM u WHERE k = 1;\nUPDATE t SET b = 0 WHERE k = " + row + ";"));
    return has(look(application, "si", 2), application, {"give", "take"});
  };
  EXPECT_TRUE(given_back("4"));
  EXPECT_FALSE(given_back("6"));
}

// The minimum of rows without a value is NULL, and then every value would beat it.
TEST(ValueRule, AMinimumPassesOverNull) {
  const auto skew = [](const std::string& condition, const std::string& value) {
    const auto application = read(
        "CREATE TABLE d (k int PRIMARY KEY, due int, note int NOT NULL);\n" +
        function("first", "SELECT min(due) INTO n FROM d;\nIF " + condition +
                              " THEN UPDATE d SET note = 1 WHERE k = 1; END IF;") +
        function("second", "PERFORM note FROM d WHERE k = 1;\nINSERT INTO d VALUES (5, " + value + ", 0);"));
    return has(look(application, "si", 2, Options{.initial_rows = InitialRows::Any}), application,
               {"first", "second"});
  };
  EXPECT_TRUE(skew("n IS NULL", "9"));
  EXPECT_FALSE(skew("n IS NULL", "NULL"));
  EXPECT_FALSE(skew("n < 5", "9"));
  EXPECT_TRUE(skew("n < 5", "3"));
}

// Which of the rows is first where some have no value, ORDER BY says.
TEST(ValueRule, TheFirstRowMayHaveNoValue) {
  const auto runs = [&](const std::string& type) {
    const auto application = read("CREATE TABLE d (k int PRIMARY KEY, due int" + type + ");\n" + kTables +
                                  function("f",
                                           "SELECT k, due INTO n, v FROM d ORDER BY due LIMIT 1;\n"
                                           "IF n = 1 AND v IS NULL THEN " +
                                               kCount + " END IF;"));
    return has(look(application, "ec", 2), application, {"f", "f"});
  };
  EXPECT_TRUE(runs(""));
  EXPECT_FALSE(runs(" NOT NULL"));
}

// Two loops that count rows of u up, in rounds that have nothing in common.
bool meet(const std::string& first, const std::string& second, const std::string& tables = kTables) {
  const auto application = read(tables + function("f", first) + function("g", second));
  const Analysis analysis = look(application, "ec", 2);
  EXPECT_TRUE(has(analysis, application, {"f", "f"}));
  return has(analysis, application, {"f", "g"});
}

TEST(ValueRule, ALoopOverNumbersStaysWithinThem) {
  const auto loop = [](const char* range) {
    return std::string("FOR i IN ") + range + " LOOP UPDATE u SET a = a + 1 WHERE k = i; END LOOP;";
  };
  EXPECT_FALSE(meet(loop("1..3"), loop("4..6")));
  EXPECT_TRUE(meet(loop("1..3"), loop("3..6")));
}

TEST(ValueRule, ALoopOverAQueryHasItsRows) {
  const std::string tables = kTables + "CREATE TABLE s (k int PRIMARY KEY, kind int NOT NULL);\n";
  const auto loop = [](const char* condition) {
    return std::string("FOR r IN SELECT k FROM s WHERE ") + condition +
           " LOOP UPDATE u SET a = a + 1 WHERE k = r.k; END LOOP;";
  };
  EXPECT_FALSE(meet(loop("kind = 1"), loop("kind = 2"), tables));
  EXPECT_TRUE(meet(loop("kind = 1"), loop("kind < 2"), tables));
}

TEST(ValueRule, ALoopOverAnArrayHasItsElements) {
  const auto application =
      read(kTables +
           function("f", "FOREACH n IN ARRAY many LOOP\nUPDATE u SET a = a + 1 WHERE k = n;\nEND LOOP;"));
  const Analysis analysis = look(application, "ec", 2);
  ASSERT_EQ(analysis.anomalies.size(), 1u);
  for (const Edge& edge : analysis.anomalies[0].cycle)
    for (const Call& call : analysis.anomalies[0].calls)
      EXPECT_TRUE(std::ranges::any_of(
          call.arguments[2], [&](const Value& element) { return element.text == edge.key[0].text; }));
}

// The rounds of a loop inside are those of a round of the loop around it.
TEST(ValueRule, RoundsInsideRunInARoundOutside) {
  const auto loops = [](const char* range) {
    return std::string("FOR i IN ") + range +
           " LOOP FOR j IN 1..2 LOOP UPDATE u SET a = a + 1 WHERE k = i; END LOOP; END LOOP;";
  };
  EXPECT_FALSE(meet(loops("1..3"), loops("4..6")));
  EXPECT_TRUE(meet(loops("1..3"), loops("3..6")));
}

TEST(ValueRule, RoundsRunOnlyWhereTheirLoopDoes) {
  EXPECT_FALSE(
      meet("IF x > 0 THEN FOR i IN 1..3 LOOP UPDATE u SET a = a + 1 WHERE k = x; END LOOP; END IF;",
           "IF x < 0 THEN FOR i IN 1..3 LOOP UPDATE u SET a = a + 1 WHERE k = x; END LOOP; END IF;"));
}

// The rows of two rounds differ, so no round finds that another one deleted its row.
TEST(ValueRule, RoundsOverATableHaveDifferentRows) {
  const auto with = [](const std::string& condition) {
    const auto application = read(
        kTables + "CREATE TABLE s (k int PRIMARY KEY);\n" +
        function("f",
                 "SELECT k INTO STRICT v FROM s WHERE k = x;\nFOR r IN SELECT k FROM t LOOP\n"
                 "  PERFORM 1 FROM s WHERE k = r.k;\n  IF NOT FOUND AND " +
                     condition + " THEN " + kCount + " END IF;\n  DELETE FROM s WHERE k = r.k;\nEND LOOP;") +
        function("g", kCount));
    return has(look(application, "ec", 2), application, {"f", "g"});
  };
  EXPECT_TRUE(with("r.k <> x"));
  EXPECT_FALSE(with("r.k = x"));
}

TEST(ValueRule, ValuesOfASequenceAreDrawnOnce) {
  const std::string table = "CREATE TABLE l (id bigserial PRIMARY KEY, a int);\n";
  const auto application = read(
      kTables + table +
      function("f",
               "INSERT INTO l (a) VALUES (x) RETURNING id INTO n;\nUPDATE u SET a = a + 1 WHERE k = n;"));
  EXPECT_EQ(look(application, "ec", 2).outcome, Outcome::NoneUpToCycle);
}

// A transaction that draws the value x in one round does not draw it in the other.
TEST(ValueRule, RoundsDrawDifferentValuesOfASequence) {
  const auto with = [](const std::string& value) {
    const auto application =
        read(kTables + "CREATE TABLE l (id bigserial PRIMARY KEY, a int);\n" +
             function("f",
                      "FOR i IN 1..2 LOOP\n  INSERT INTO l (a) VALUES (0) RETURNING id INTO n;\n"
                      "  IF i = 1 AND n = x THEN UPDATE u SET a = 1 WHERE k = 1; END IF;\n"
                      "  IF i = 2 AND n = " +
                          value + " THEN PERFORM a FROM u WHERE k = 2; END IF;\nEND LOOP;") +
             function("g", "PERFORM a FROM u WHERE k = 1;\nUPDATE u SET a = 1 WHERE k = 2;"));
    return has(look(application, "si", 2), application, {"f", "g"});
  };
  EXPECT_TRUE(with("y"));
  EXPECT_FALSE(with("x"));
}

TEST(ValueRule, AJoinReadsTheRowsThatFitTogether) {
  const auto with = [](const char* row) {
    return read(kTables + "CREATE TABLE s (k int PRIMARY KEY, u int NOT NULL);\n" +
                function("reader",
                         "PERFORM u.a FROM s JOIN u ON u.k = s.u WHERE s.k = 1 AND s.u < 5;\n"
                         "UPDATE t SET a = 1 WHERE k = 1;") +
                function("writer", "SELECT a INTO v FROM t WHERE k = 1;\nUPDATE u SET a = 0 WHERE k = " +
                                       std::string(row) + ";"));
  };
  EXPECT_TRUE(has(look(with("4"), "si", 2), with("4"), {"reader", "writer"}));
  EXPECT_FALSE(has(look(with("5"), "si", 2), with("5"), {"reader", "writer"}));
}

}  // namespace
}  // namespace assay::analysis
