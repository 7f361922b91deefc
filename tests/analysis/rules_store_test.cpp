// One small application per axiom about what transactions see: orders, views of statements, locks, and what a
// witness shows of them.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/rules.h"

namespace assay::analysis {
namespace {

const std::string kFork = kTable + R"(
-- transaction: put(x)
UPDATE t SET a = 1 WHERE k = :x;
-- transaction: both()
SELECT a FROM t WHERE k = 1;
SELECT a FROM t WHERE k = 2;
)";
const std::string kSkew = kTable + R"(
-- transaction: skew(x, y)
SELECT a FROM t WHERE k = :x;
UPDATE t SET a = 1 WHERE k = :y;
)";

TEST(StoreRule, ArbitrationIsAnOrder) {
  const auto application = read(kTable + R"(
-- transaction: both(x, y)
UPDATE t SET a = 1 WHERE k = :x;
UPDATE t SET a = 1 WHERE k = :y;
)");
  EXPECT_EQ(look(application, "ec", 3).outcome, Outcome::NoneUpToCycle);
}

TEST(StoreRule, OverwritingIsADependency) {
  const auto application = read(kTable + R"(
-- transaction: one()
UPDATE t SET a = 1 WHERE k = 1;
UPDATE t SET a = 1 WHERE k = 2;
-- transaction: two()
SELECT a FROM t WHERE k = 2;
UPDATE t SET a = 2 WHERE k = 1;
)");
  EXPECT_TRUE(has(look(application, "ec", 2), application, {"one", "two"}));
}

TEST(StoreRule, NobodySeesWhatComesLater) {
  const auto application = read(kTable + R"(
-- transaction: copy(x, y)
SELECT a FROM t WHERE k = :x;
UPDATE t SET a = 1 WHERE k = :y;
)");
  for (const FoundAnomaly& anomaly : look(application, "ec", 2).anomalies)
    EXPECT_LT(std::ranges::count(anomaly.cycle, Dependency::Wr, &Edge::kind), 2);
}

TEST(StoreRule, PrefixesDoNotFork) {
  const auto application = read(kFork);
  EXPECT_EQ(look(application, "psi", 4).outcome, Outcome::AnomalyFound);
  EXPECT_EQ(look(application, "pc", 4).outcome, Outcome::NoneUpToCycle);
}

TEST(StoreRule, SerializableTransactionsSeeEverythingBeforeThem) {
  const auto application = read(kSkew);
  EXPECT_EQ(look(application, "si", 2).outcome, Outcome::AnomalyFound);
  EXPECT_EQ(look(application, "ser", 2).outcome, Outcome::NoneUpToCycle);
  EXPECT_EQ(look(application, "ec,skew+skew=ser", 2).outcome, Outcome::NoneUpToCycle);
}

TEST(StoreRule, AxiomsBindTheTransactionThatTheyEndIn) {
  const auto application = read(kFork);
  EXPECT_EQ(look(application, "psi,both=ser", 4).outcome, Outcome::NoneUpToCycle);
  EXPECT_EQ(look(application, "ec,put=ser", 4).outcome, Outcome::AnomalyFound);
}

TEST(StoreRule, ViewsOfStatementsGrow) {
  const auto application = read(kTables + R"(
CREATE FUNCTION reader() RETURNS void LANGUAGE plpgsql AS $$
DECLARE v int;
BEGIN
  SELECT k INTO STRICT v FROM t WHERE k = 1;
  IF EXISTS (SELECT 1 FROM u WHERE k = 1) THEN RAISE EXCEPTION 'there'; END IF;
END; $$;
-- transaction: writer()
INSERT INTO t VALUES (1, 0, 0);
INSERT INTO u VALUES (1, 0);
)");
  EXPECT_EQ(look(application, "rc", 2).outcome, Outcome::NoneUpToCycle);
}

TEST(StoreRule, AStatementSeesWhatWasCommittedBeforeIt) {
  const auto application = read(kTable + R"(
-- transaction: twice()
SELECT a FROM t WHERE k = 1;
SELECT b FROM t WHERE k = 1;
-- transaction: put()
UPDATE t SET a = 1, b = 1 WHERE k = 1;
)");
  EXPECT_TRUE(has(look(application, "rc", 2), application, {"twice", "put"}));
  EXPECT_EQ(look(application, "si", 2).outcome, Outcome::NoneUpToCycle);
}

TEST(StoreRule, AViewOfAStatementIsAPrefix) {
  const auto application = read(kTable + R"(
-- transaction: put(x)
UPDATE t SET a = 1 WHERE k = :x;
-- transaction: both()
SELECT sum(a) FROM t WHERE k = 1 OR k = 2;
)");
  EXPECT_EQ(look(application, "rc", 4).outcome, Outcome::NoneUpToCycle);
  EXPECT_EQ(look(application, "psi", 4).outcome, Outcome::AnomalyFound);
}

// The row that matched has changed meanwhile, and is looked at again; the one that matches by now is missed.
TEST(StoreRule, AnUpdateMixesVersionsOfDifferentRows) {
  const auto application = read(kTable + R"(
-- transaction: flip()
UPDATE t SET b = 1 WHERE k = 1;
UPDATE t SET b = 0 WHERE k = 2;
-- transaction: scan()
UPDATE t SET a = 1 WHERE b = 0;
)");
  EXPECT_TRUE(has(look(application, "rc", 2), application, {"flip", "scan"}));
}

// So does a query that locks: row 1 is the newest by the time that it is locked, row 2 did not match.
TEST(StoreRule, ALockedReadMixesVersionsOfDifferentRows) {
  const auto with = [](const char* lock) {
    const auto application = read(kTable + R"(
-- transaction: flip()
UPDATE t SET a = 7 WHERE k = 1;
UPDATE t SET b = 0 WHERE k = 2;
-- transaction: scan()
SELECT a FROM t WHERE b = 0)" + std::string(lock) +
                                  ";\n");
    return has(look(application, "rc", 2), application, {"flip", "scan"});
  };
  EXPECT_TRUE(with(" FOR UPDATE"));
  EXPECT_FALSE(with(""));
}

// Row 1 was the first when the query began, and is not any more when it is locked: the next one is row 2, and
// the row that came in between is missed.
TEST(StoreRule, ALockedReadPassesOverRowsThatHaveChanged) {
  const auto with = [](const char* level) {
    const auto application = read(kTable + R"(
CREATE FUNCTION second() RETURNS void LANGUAGE plpgsql AS $$
DECLARE v int;
BEGIN
  SELECT k INTO v FROM t WHERE b = 0 ORDER BY k LIMIT 1 FOR UPDATE;
  IF v IS NULL OR v <> 2 THEN RAISE EXCEPTION 'not this one'; END IF;
END; $$;
-- transaction: change()
UPDATE t SET b = 1 WHERE k = 1;
INSERT INTO t VALUES (0, 0, 0);
)");
    return has(look(application, level, 2, Options{.initial_rows = InitialRows::Any}), application,
               {"second", "change"});
  };
  EXPECT_TRUE(with("rc"));
  EXPECT_FALSE(with("si"));
}

TEST(StoreRule, WhoHoldsARowHasSeenWhoHeldItBefore) {
  const auto with = [](const std::string& first) {
    return read(kTables + "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$\nDECLARE v int;\nBEGIN\n" +
                first +
                "\nSELECT a INTO v FROM u WHERE k = 1;\nUPDATE u SET a = v + 1 WHERE k = 1;\nEND; $$;\n");
  };
  EXPECT_EQ(look(with("PERFORM a FROM t WHERE k = 1;"), "rc", 2).outcome, Outcome::AnomalyFound);
  EXPECT_EQ(look(with("SELECT a INTO STRICT v FROM t WHERE k = 1;\nUPDATE t SET b = 0 WHERE k = 1;"), "rc", 2)
                .outcome,
            Outcome::NoneUpToCycle);
  // So do those that only locked it, unless the row may not be there.
  EXPECT_EQ(look(with("SELECT a INTO STRICT v FROM t WHERE k = 1 FOR UPDATE;"), "rc", 2).outcome,
            Outcome::NoneUpToCycle);
  EXPECT_EQ(look(with("SELECT a INTO v FROM t WHERE k = 1 FOR UPDATE;"), "rc", 2).outcome,
            Outcome::AnomalyFound);
}

TEST(StoreRule, AnUpdateReadsTheNewestVersionOfItsRow) {
  const auto application = read(kTable + R"(
-- transaction: add(x)
UPDATE t SET a = a + 1 WHERE k = :x;
)");
  EXPECT_EQ(look(application, "rc", 3).outcome, Outcome::NoneUpToCycle);
}

TEST(StoreRule, LockingAtSnapshotIsolationKeepsWritersAway) {
  const auto with = [](const char* lock) {
    return read(kTable + "-- transaction: skew(x, y)\nSELECT a FROM t WHERE k = :x" + lock +
                ";\nUPDATE t SET a = 1 WHERE k = :y;\n");
  };
  EXPECT_EQ(look(with(""), "si", 2).outcome, Outcome::AnomalyFound);
  EXPECT_EQ(look(with(" FOR UPDATE"), "si", 2).outcome, Outcome::NoneUpToCycle);
}

// miss() sees add() but not mark(), which add() saw; if the row of add() stays, it would have noticed.
TEST(StoreRule, RowsThatNobodyDeletesStay) {
  const auto with = [](const std::string& row) {
    const auto application = read(kTables + R"(
CREATE TABLE s (k int PRIMARY KEY);
CREATE FUNCTION add() RETURNS void LANGUAGE plpgsql AS $$
DECLARE v int;
BEGIN
  SELECT k INTO STRICT v FROM s WHERE k = 2;
  INSERT INTO t VALUES (1, 0, 0);
  UPDATE u SET a = 1 WHERE k = 1;
END; $$;
CREATE FUNCTION miss() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM t WHERE k = )" +
                                  row + R"x() THEN RAISE EXCEPTION 'no'; END IF;
  IF EXISTS (SELECT 1 FROM s WHERE k = 2) THEN RAISE EXCEPTION 'no'; END IF;
  PERFORM a FROM u WHERE k = 1;
END; $$;
-- transaction: mark()
INSERT INTO s VALUES (2);
)x");
    return has(look(application, "ec", 3), application, {"mark", "add", "miss"});
  };
  EXPECT_TRUE(with("2"));
  EXPECT_FALSE(with("1"));
}

TEST(StoreRule, AReadFindsTheLastVersionThatIsVisible) {
  const auto application = read(kTables + R"(
-- transaction: put(x)
UPDATE t SET a = :x WHERE k = 1;
UPDATE t SET a = :x WHERE k = 2;
-- transaction: get()
SELECT a FROM t WHERE k = 1;
SELECT a FROM t WHERE k = 2;
)");
  EXPECT_EQ(look(application, "ec", 3).outcome, Outcome::NoneUpToCycle);
}

// Who finds a row sees the last INSERT of it, not the DELETE before: that one is one more transaction away.
TEST(StoreRule, WhoFindsARowDoesNotReadFromWhoDeletedIt) {
  const auto application = read(kTables + R"(
CREATE FUNCTION find() RETURNS void LANGUAGE plpgsql AS $$
DECLARE v int;
BEGIN
  PERFORM a FROM u WHERE k = 1;
  SELECT k INTO STRICT v FROM t WHERE k = 1;
END; $$;
-- transaction: clear()
UPDATE u SET a = 1 WHERE k = 1;
DELETE FROM t WHERE k = 1;
-- transaction: add()
INSERT INTO t VALUES (1, 0, 0);
)");
  const Analysis analysis = look(application, "rc", 3);
  EXPECT_FALSE(has(analysis, application, {"clear", "find"}));
  EXPECT_TRUE(has(analysis, application, {"add", "clear", "find"}));
}

// A witness begins with rows from which its calls do what they did.
TEST(StoreRule, InitialRowsExplainWhatCallsRead) {
  const sql::Application application = bank();
  for (const char* level : {"ec", "rc"}) {
    const Analysis analysis = look(application, level, 2);
    ASSERT_EQ(analysis.anomalies.size(), 1u);
    const FoundAnomaly& anomaly = analysis.anomalies[0];
    ASSERT_TRUE(anomaly.complete);
    ASSERT_EQ(anomaly.initial_rows.size(), 1u);
    for (const Call& call : anomaly.calls) {
      EXPECT_EQ(call.arguments[0][0].text, anomaly.initial_rows[0].values[0].text);
      EXPECT_LT(std::stoll(call.arguments[1][0].text), std::stoll(anomaly.initial_rows[0].values[1].text));
    }
  }
}

TEST(StoreRule, RowsThatCallsFindAreThereToBeginWith) {
  const auto application = read(kTable + R"(
CREATE FUNCTION raise(x int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE v int;
BEGIN
  SELECT a INTO STRICT v FROM t WHERE k = x;
  UPDATE t SET a = v + 1 WHERE k = x;
END; $$;
-- transaction: add(x)
INSERT INTO t VALUES (:x, 0, 0);
)");
  const Analysis analysis = look(application, "rc", 2);
  ASSERT_EQ(analysis.anomalies.size(), 1u);
  const FoundAnomaly& anomaly = analysis.anomalies[0];
  ASSERT_TRUE(anomaly.complete);
  ASSERT_EQ(anomaly.initial_rows.size(), 1u);
  EXPECT_EQ(anomaly.initial_rows[0].values[0].text, anomaly.calls[0].arguments[0][0].text);
}

TEST(StoreRule, AWitnessShowsWhatWasWrittenToWhoSeesIt) {
  const auto application = read(kTables + R"(
CREATE FUNCTION mark() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE t SET a = 7 WHERE k = 1;
  UPDATE t SET a = 7 WHERE k = 2;
END; $$;
CREATE FUNCTION check_marks() RETURNS void LANGUAGE plpgsql AS $$
DECLARE v int; w int;
BEGIN
  SELECT a INTO STRICT v FROM t WHERE k = 1;
  SELECT a INTO STRICT w FROM t WHERE k = 2;
  IF v = 7 OR w <> 7 THEN RAISE EXCEPTION 'consistent'; END IF;
END; $$;
)");
  const Analysis analysis = look(application, "rc", 2);
  ASSERT_EQ(analysis.anomalies.size(), 1u);
  ASSERT_TRUE(analysis.anomalies[0].complete);
  for (const Row& row : analysis.anomalies[0].initial_rows)
    EXPECT_FALSE(row.values[0].text == "1" && row.values[1].text == "7");
}

const FoundAnomaly* anomaly_of(const Analysis& analysis, const sql::Application& application,
                               const Cycle& cycle) {
  for (const FoundAnomaly& anomaly : analysis.anomalies) {
    Analysis one;
    one.anomalies = {anomaly};
    if (has(one, application, cycle)) return &anomaly;
  }
  return nullptr;
}

// get() sees both that wrote the row, and reads what the second one made of it.
TEST(StoreRule, AWitnessShowsWhatTheLastWriterWrote) {
  const auto application = read(kTables + R"(
CREATE FUNCTION add() RETURNS void LANGUAGE plpgsql AS $$
DECLARE v int;
BEGIN
  SELECT a INTO STRICT v FROM t WHERE k = 1;
  IF v <> 1 THEN RAISE EXCEPTION 'not marked'; END IF;
  UPDATE t SET a = 2 WHERE k = 1;
END; $$;
CREATE FUNCTION get() RETURNS void LANGUAGE plpgsql AS $$
DECLARE v int;
BEGIN
  PERFORM a FROM u WHERE k = 1;
  SELECT a INTO STRICT v FROM t WHERE k = 1;
  IF v <> 2 THEN RAISE EXCEPTION 'not added'; END IF;
END; $$;
-- transaction: mark()
UPDATE u SET a = 1 WHERE k = 1;
UPDATE t SET a = 1 WHERE k = 1;
)");
  const Analysis analysis = look(application, "rc", 3);
  const FoundAnomaly* anomaly = anomaly_of(analysis, application, {"add", "get", "mark"});
  ASSERT_NE(anomaly, nullptr);
  EXPECT_TRUE(anomaly->complete);
}

// What is written is something that the query would have counted: the rows were on before they are turned
// off, and intervals overlap.
TEST(StoreRule, AWitnessIsOneThatQueriesNotice) {
  const auto application = read(R"(
CREATE TABLE lamp (id int PRIMARY KEY, is_on boolean NOT NULL);
CREATE TABLE slot (id int PRIMARY KEY, starts int NOT NULL, ends int NOT NULL);
-- transaction: off(x int)
SELECT count(*) FROM lamp WHERE is_on;
UPDATE lamp SET is_on = false WHERE id = :x;
-- transaction: take(x int, first int, last int)
SELECT count(*) FROM slot WHERE starts < :last AND ends > :first;
INSERT INTO slot VALUES (:x, :first, :last);
-- transaction: clear(x int)
DELETE FROM slot WHERE id = :x;
)");
  const Analysis analysis = look(application, "si", 2);
  const FoundAnomaly* off = anomaly_of(analysis, application, {"off", "off"});
  ASSERT_NE(off, nullptr);
  for (const Call& call : off->calls)
    EXPECT_TRUE(std::ranges::any_of(off->initial_rows, [&](const Row& row) {
      return row.values[0].text == call.arguments[0][0].text && row.values[1].text == "true";
    }));
  const FoundAnomaly* take = anomaly_of(analysis, application, {"take", "take"});
  ASSERT_NE(take, nullptr);
  const auto argument = [&](std::size_t call, std::size_t i) {
    return std::stoll(take->calls[call].arguments[i][0].text);
  };
  EXPECT_LT(argument(0, 1), argument(1, 2));
  EXPECT_LT(argument(1, 1), argument(0, 2));
}

// The rounds that a witness needs are the first ones, so arrays are as short as can be and have what is used.
TEST(StoreRule, AWitnessHasTheFirstRoundsOfLoops) {
  const auto application = read(kTables + R"(
CREATE FUNCTION each(many int[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE n int;
BEGIN
  FOREACH n IN ARRAY many LOOP
    IF n <> many[1] THEN UPDATE u SET a = a + 1 WHERE k = n; END IF;
  END LOOP;
END; $$;
CREATE FUNCTION range(x int, y int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN x..y LOOP
    IF i > x AND y > 5 THEN UPDATE t SET a = a + 1 WHERE k = i; END IF;
  END LOOP;
END; $$;
)");
  const Analysis analysis = look(application, "ec", 2);
  const FoundAnomaly* each = anomaly_of(analysis, application, {"each", "each"});
  ASSERT_NE(each, nullptr);
  EXPECT_TRUE(each->complete);
  for (const Call& call : each->calls) {
    ASSERT_EQ(call.arguments[0].size(), 2u);
    EXPECT_EQ(call.arguments[0][1].text, each->cycle[0].key[0].text);
  }
  const FoundAnomaly* range = anomaly_of(analysis, application, {"range", "range"});
  ASSERT_NE(range, nullptr);
  EXPECT_TRUE(range->complete);
  for (const Call& call : range->calls)
    EXPECT_EQ(std::stoll(call.arguments[1][0].text) - std::stoll(call.arguments[0][0].text), 1);
}

}  // namespace
}  // namespace assay::analysis
