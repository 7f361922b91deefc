// One small application per rule of the analysis, whose answer is another one without the rule. The numbers
// are those of the list in docs/analysis-logic.md.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/rules.h"

namespace assay::analysis {
namespace {

// 1: NOT of something that cannot be evaluated may hold.
TEST(Rule, NegationOfAnUnknownConditionMayBeTrue) {
  const auto application = read(kTable + R"(
-- transaction: reader(x)
SELECT b FROM t WHERE NOT (a = :x);
SELECT a FROM t WHERE k = 2;
-- transaction: writer(y)
UPDATE t SET b = b + 1 WHERE k = 1;
UPDATE t SET a = 0 WHERE k = 2;
)");
  EXPECT_TRUE(has(look(application, "rc", 2), application, {"reader", "writer"}));
}

TEST(Rule, NegationOfAnAlternativeNegatesBothParts) {
  const auto application = [](const char* row) {
    return read(kTables + R"(
-- transaction: reader(x)
SELECT b FROM t WHERE NOT (k = 5 OR a = :x);
SELECT a FROM u WHERE k = 2;
-- transaction: writer(y)
UPDATE u SET a = 0 WHERE k = 2;
UPDATE t SET b = b + 1 WHERE k = )" +
                std::string(row) + ";\n");
  };
  EXPECT_TRUE(has(look(application("1"), "rc", 2), application("1"), {"reader", "writer"}));
  EXPECT_FALSE(has(look(application("5"), "rc", 2), application("5"), {"reader", "writer"}));
}

// 2: a write that depends on a changing column is not sure, so it does not keep writers apart.
TEST(Rule, AWriteThatMayMissItsRowForcesNothing) {
  const auto skew = [](const std::string& before, const std::string& condition) {
    return read(kTable + R"(
CREATE FUNCTION skew(x int, y int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE v int;
BEGIN
  SELECT k INTO STRICT v FROM t WHERE k = 9;
)" + before + "\nUPDATE t SET b = 0 WHERE k = 9" +
                condition + R"(;
  SELECT a INTO STRICT v FROM t WHERE k = x;
  UPDATE t SET a = v + 1 WHERE k = y;
END; $$;
)");
  };
  EXPECT_EQ(look(skew("", ""), "si", 2).outcome, Outcome::NoneUpToCycle);
  EXPECT_EQ(look(skew("", " AND a > 7"), "si", 2).outcome, Outcome::AnomalyFound);
  // What it wrote itself is not known any more.
  EXPECT_EQ(look(skew("UPDATE t SET a = 0 WHERE k = 8;", " AND a > 7"), "si", 2).outcome,
            Outcome::AnomalyFound);
}

// 3: an UPDATE of a column that another WHERE uses is a phantom.
TEST(Rule, UpdatesCanBringRowsIntoAResult) {
  const auto application = read(kTable + R"(
-- transaction: move_up(x)
SELECT count(*) FROM t WHERE a = 1;
UPDATE t SET a = 1 WHERE k = :x;
)");
  EXPECT_TRUE(has(look(application, "si", 2), application, {"move_up", "move_up"}));
}

// 4: lowering the row that holds the maximum changes the maximum too.
TEST(Rule, LoweringTheMaximumConflictsWithReadingIt) {
  const auto application = read(kTable + R"(
-- transaction: lower(x)
SELECT max(a) FROM t WHERE b = 1;
UPDATE t SET a = 0 WHERE k = :x;
)");
  EXPECT_TRUE(has(look(application, "si", 2), application, {"lower", "lower"}));
}

// 5: the minimum of nothing is NULL, and then any row changes it.
TEST(Rule, TheMinimumOfNoRowsIsNull) {
  const auto application = read(kTable + R"(
-- transaction: first(x)
SELECT min(k) FROM t WHERE b = :x;
INSERT INTO t VALUES (5, 5, :x);
-- transaction: second(x)
SELECT min(k) FROM t WHERE b = :x;
INSERT INTO t VALUES (6, 6, :x);
)");
  EXPECT_TRUE(has(look(application, "si", 2), application, {"first", "second"}));
}

TEST(Rule, AMinimumThatWasFoundDoesNotSeeLargerRows) {
  const auto application = read(kTable + R"(
CREATE FUNCTION above(x int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE least int;
BEGIN
  SELECT min(k) INTO least FROM t;
  IF least IS NULL OR least >= x THEN RAISE EXCEPTION 'too small'; END IF;
  INSERT INTO t VALUES (x, 0, 0);
END; $$;
)");
  EXPECT_EQ(look(application, "si", 2).outcome, Outcome::NoneUpToCycle);
}

// 6: pairs that the paper's rules leave out.
TEST(Rule, InsertsAndDeletesConflictThroughPresence) {
  const auto application = read(kTable + R"(
-- transaction: counter(x)
SELECT count(*) FROM t;
UPDATE t SET a = 1 WHERE k = :x;
-- transaction: remover(x)
SELECT a FROM t WHERE k = 1;
DELETE FROM t WHERE k = :x AND k <> 1;
)");
  const Analysis analysis = look(application, "si", 2);
  EXPECT_TRUE(has(analysis, application, {"counter", "remover"}));
}

// 7: `SET a = a + 1` reads what it writes.
TEST(Rule, AnUpdateReadsTheFieldsOfItsExpression) {
  const auto application = read(kTable + R"(
-- transaction: add(x)
UPDATE t SET a = a + 1 WHERE k = :x;
)");
  EXPECT_TRUE(has(look(application, "ec", 2), application, {"add", "add"}));
  const auto blind = read(kTable + R"(
-- transaction: put(x)
UPDATE t SET a = 1 WHERE k = :x;
)");
  EXPECT_EQ(look(blind, "ec", 2).outcome, Outcome::NoneUpToCycle);
}

// 8: who found no row is not overwritten by the delete of it.
TEST(Rule, ReadingThatARowIsAbsentDoesNotConflictWithItsDelete) {
  const auto application = read(kTable + R"(
-- transaction: add(x)
INSERT INTO t VALUES (:x, 0, 0) ON CONFLICT DO NOTHING;
-- transaction: remove(x)
DELETE FROM t WHERE k = :x;
)");
  EXPECT_FALSE(has(look(application, "ec", 2), application, {"add", "remove"}));
}

// 9: a key may be inserted twice where the level allows it; what one of them wrote is not what is there.
TEST(Rule, AKeyMayBeInsertedTwiceWithOtherValues) {
  const auto application = read(kTable + R"(
-- transaction: one(x)
INSERT INTO t VALUES (:x, 1, 1);
-- transaction: two(x)
INSERT INTO t VALUES (:x, 2, 2);
)");
  EXPECT_TRUE(has(look(application, "ec", 2), application, {"one", "two"}));
  EXPECT_EQ(look(application, "psi", 2).outcome, Outcome::NoneUpToCycle);
}

TEST(Rule, ARowThatIsDeletedMayComeBackWithOtherValues) {
  const auto application = read(kTable + R"(
-- transaction: clear()
DELETE FROM t WHERE k = 7;
-- transaction: two()
INSERT INTO t VALUES (7, 2, 2);
-- transaction: both()
SELECT a FROM t WHERE b = 1;
SELECT a FROM t WHERE b = 2;
)");
  EXPECT_TRUE(has(look(application, "rc", 3), application, {"both", "clear", "two"}));
}

// A reader need not have read what it sees of an insert: somebody else may have written the row since.
TEST(Rule, ChordsOfAProofAreSure) {
  const auto application = read(kTable + R"(
-- transaction: add(x)
INSERT INTO t VALUES (:x, 0, 0) ON CONFLICT DO NOTHING;
-- transaction: clear(x)
DELETE FROM t WHERE k = :x;
-- transaction: both()
SELECT count(*) FROM t WHERE k = 1;
SELECT count(*) FROM t WHERE k = 2;
)");
  Options options;
  options.cycle = 3;
  options.prove = true;
  for (const StoreLevel level : {StoreLevel::Cc, StoreLevel::Psi})
    EXPECT_NE(analyze(application, Levels{.common = level}, options).outcome, Outcome::Serializable)
        << id(level);
}

// 10: tables that nobody inserts into are not empty, and whether a row is there never changes.
TEST(Rule, RowsThatNobodyInsertsExist) {
  EXPECT_TRUE(has(look(bank(), "ec", 2), bank(), {"withdraw", "withdraw"}));
}

TEST(Rule, RowsThatNobodyInsertsOrDeletesStay) {
  const auto application = read(kTables + R"(
CREATE FUNCTION present(x int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM t WHERE k = x) THEN UPDATE u SET a = a + 1 WHERE k = x; END IF;
END; $$;
CREATE FUNCTION absent(x int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM t WHERE k = x) THEN UPDATE u SET a = a + 1 WHERE k = x; END IF;
END; $$;
)");
  const Analysis analysis = look(application, "ec", 2);
  EXPECT_FALSE(has(analysis, application, {"present", "absent"}));
  EXPECT_TRUE(has(analysis, application, {"present", "present"}));
}

// Where programs insert, a row that is found was inserted by one of them, unless tables may hold anything.
TEST(Rule, RowsThatAreFoundWereInsertedByAProgram) {
  const auto application = read(kTables + R"(
CREATE FUNCTION add(x int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF x > 10 THEN INSERT INTO t VALUES (x, 0, 0); END IF;
END; $$;
CREATE FUNCTION take() RETURNS void LANGUAGE plpgsql AS $$
DECLARE n int;
BEGIN
  SELECT min(k) INTO n FROM t;
  IF n < 5 THEN UPDATE u SET a = a + 1 WHERE k = 1; END IF;
END; $$;
)");
  EXPECT_FALSE(has(look(application, "ec", 2), application, {"take", "take"}));
  EXPECT_TRUE(has(look(application, "ec", 2, Options{.initial_rows = InitialRows::Any}), application,
                  {"take", "take"}));
}

// 13: PSI is causal.
TEST(Rule, ParallelSnapshotIsolationIsCausal) {
  const auto application = read(kTable + R"(
-- transaction: put(x)
UPDATE t SET a = :x WHERE k = 1;
-- transaction: copy(x)
SELECT a FROM t WHERE k = 1;
UPDATE t SET a = :x WHERE k = 2;
-- transaction: both()
SELECT a FROM t WHERE k = 2;
SELECT a FROM t WHERE k = 1;
)");
  const auto skewed_reads = [&](std::string_view level) {
    std::size_t count = 0;
    for (const FoundAnomaly& anomaly : look(application, level, 3).anomalies)
      count += std::ranges::count(anomaly.cycle, Dependency::Rw, &Edge::kind) == 1;
    return count;
  };
  EXPECT_EQ(skewed_reads("psi"), 0u);
  EXPECT_GT(skewed_reads("ec"), 0u);
}

// 14: what a query returned satisfies its condition; assignments are equations.
TEST(Rule, ValuesThatWereFoundSatisfyTheirCondition) {
  const auto application = read(R"(
CREATE TABLE owner (name int PRIMARY KEY, account int NOT NULL);
CREATE TABLE account (id int PRIMARY KEY, amount int NOT NULL);
CREATE FUNCTION odd(n int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE i int; j int;
BEGIN
  SELECT account INTO STRICT i FROM owner WHERE name = n;
  j := i + i;
  IF j <> 2 * i THEN UPDATE account SET amount = amount + 1 WHERE id = i; END IF;
END; $$;
)");
  EXPECT_EQ(look(application, "ec", 2).outcome, Outcome::NoneUpToCycle);
}

// 15: an INSERT that finds its key taken, and a DELETE of nothing, write nothing.
TEST(Rule, DeletingWhatIsNotThereWritesNothing) {
  const auto application = read(kTable + R"(
CREATE FUNCTION clear(x int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM t WHERE k = x) THEN DELETE FROM t WHERE k = x; END IF;
END; $$;
-- transaction: add(x)
INSERT INTO t VALUES (:x, 0, 0);
)");
  EXPECT_FALSE(has(look(application, "ec", 2), application, {"clear", "add"}));
}

// 16: each statement has the conditions of its own program around it.
TEST(Rule, GuardsAreThoseOfTheirOwnProgram) {
  const auto application = read(kTable + R"(
CREATE FUNCTION up(x int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF x > 0 THEN UPDATE t SET a = a + 1 WHERE k = x; END IF;
END; $$;
CREATE FUNCTION down(x int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF x > 0 THEN NULL; ELSE UPDATE t SET a = a + 1 WHERE k = x; END IF;
END; $$;
)");
  const Analysis analysis = look(application, "ec", 2);
  EXPECT_FALSE(has(analysis, application, {"up", "down"}));
  EXPECT_TRUE(has(analysis, application, {"up", "up"}));
  EXPECT_TRUE(has(analysis, application, {"down", "down"}));
}

// 17: numbers from a counter tell who came first.
TEST(Rule, CountersTellWhoCameFirst) {
  const std::string tables = R"(
CREATE TABLE counter (id int PRIMARY KEY, next int NOT NULL);
CREATE TABLE job (id int PRIMARY KEY);
CREATE TABLE done (id int PRIMARY KEY, how int NOT NULL);
CREATE FUNCTION submit() RETURNS void LANGUAGE plpgsql AS $$
DECLARE n int;
BEGIN
  SELECT next INTO STRICT n FROM counter WHERE id = 1;
  UPDATE counter SET next = next + STEP WHERE id = 1;
  INSERT INTO job VALUES (n);
END; $$;
CREATE FUNCTION take() RETURNS void LANGUAGE plpgsql AS $$
DECLARE n int;
BEGIN
  SELECT min(id) INTO n FROM job;
  IF n IS NULL THEN RETURN; END IF;
  DELETE FROM job WHERE id = n;
  UPDATE done SET how = 1 WHERE id = 1;
END; $$;
CREATE FUNCTION watch() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM job WHERE id > 0;
  PERFORM how FROM done WHERE id = 1;
END; $$;
)";
  const auto with = [&](const std::string& step) {
    std::string text = tables;
    return read(text.replace(text.find("STEP"), 4, step));
  };
  EXPECT_FALSE(has(look(with("1"), "si", 3), with("1"), {"submit", "take", "watch"}));
  EXPECT_TRUE(has(look(with("0"), "si", 3), with("0"), {"submit", "take", "watch"}));
  const auto reset = read(std::string(tables).replace(tables.find("STEP"), 4, "1") +
                          "-- transaction: reset()\nUPDATE counter SET next = next + 0 WHERE id = 1;\n");
  EXPECT_TRUE(has(look(reset, "si", 3), reset, {"submit", "take", "watch"}));
}

const std::string kCounter = R"(
CREATE TABLE counter (id int PRIMARY KEY, next int NOT NULL);
CREATE TABLE u (k int PRIMARY KEY, a int NOT NULL);
)";

// Half of it: a row whose number was drawn has a smaller one than whoever finds it reads.
TEST(Rule, WhoSeesAnIncrementReadsAtLeastItsResult) {
  const auto with = [](const std::string& condition) {
    const auto application = read(kCounter + R"(
CREATE TABLE job (id int PRIMARY KEY);
CREATE FUNCTION submit() RETURNS void LANGUAGE plpgsql AS $$
DECLARE n int;
BEGIN
  UPDATE counter SET next = next + 1 WHERE id = 1 RETURNING next INTO n;
  INSERT INTO job VALUES (n);
END; $$;
CREATE FUNCTION skew(x int, y int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE last int; n int;
BEGIN
  SELECT max(id) INTO last FROM job;
  SELECT next INTO STRICT n FROM counter WHERE id = 1;
  IF )" + condition + R"( THEN
    PERFORM a FROM u WHERE k = x;
    UPDATE u SET a = 1 WHERE k = y;
  END IF;
END; $$;
)");
    return has(look(application, "si", 2), application, {"skew", "skew"});
  };
  EXPECT_TRUE(with("last = n"));
  EXPECT_FALSE(with("last > n"));
}

// The other half: who is past p has seen who drew p.
TEST(Rule, AnIncrementThatIsNotSeenStartedLater) {
  const auto with = [](const std::string& condition) {
    const auto application = read(kCounter + R"(
CREATE FUNCTION draw(p int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE n int;
BEGIN
  SELECT next INTO STRICT n FROM counter WHERE id = 1;
  IF n <> p THEN RAISE EXCEPTION 'not yet'; END IF;
  UPDATE counter SET next = next + 1 WHERE id = 1;
  PERFORM a FROM u WHERE k = p;
END; $$;
CREATE FUNCTION look(p int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE n int;
BEGIN
  SELECT next INTO STRICT n FROM counter WHERE id = 1;
  IF )" + condition + R"( THEN UPDATE u SET a = 1 WHERE k = p; END IF;
END; $$;
)");
    return has(look(application, "si", 2), application, {"draw", "look"});
  };
  EXPECT_TRUE(with("n <= p"));
  EXPECT_FALSE(with("n > p"));
}

// Who sees the second increment need not see the first where the store is not causal.
TEST(Rule, CountersNeedACausalStore) {
  const auto application = read(kCounter + R"(
-- transaction: draw(x)
UPDATE counter SET next = next + 1 WHERE id = 1;
UPDATE u SET a = 1 WHERE k = :x;
-- transaction: look(x)
SELECT next FROM counter WHERE id = 1;
SELECT a FROM u WHERE k = :x;
)");
  EXPECT_TRUE(has(look(application, "cerone:UA", 3), application, {"draw", "draw", "look"}));
  EXPECT_FALSE(has(look(application, "psi", 3), application, {"draw", "draw", "look"}));
}

// 18: engines keep writers of a row apart, even when they write different columns.
TEST(Rule, GranularityIsTheRowUnlessAskedFor) {
  const auto application = read(kTable + R"(
-- transaction: left(x)
SELECT b FROM t WHERE k = :x;
UPDATE t SET a = 1 WHERE k = :x;
-- transaction: right(x)
SELECT a FROM t WHERE k = :x;
UPDATE t SET b = 1 WHERE k = :x;
)");
  EXPECT_FALSE(has(look(application, "si", 2), application, {"left", "right"}));
  EXPECT_TRUE(has(look(application, "si", 2, Options{.granularity = Granularity::Column}), application,
                  {"left", "right"}));
}

TEST(Rule, AVersionThatWasReadIsTheLastOneThatIsVisible) {
  const auto application = read(kTable + R"(
-- transaction: put(x)
UPDATE t SET a = :x WHERE k = 1;
-- transaction: get()
SELECT a FROM t WHERE k = 1;
)");
  EXPECT_EQ(look(application, "ec", 3).outcome, Outcome::NoneUpToCycle);
}

TEST(Rule, LockedReadsSeeWhoWroteBefore) {
  const auto text = [](const char* lock) {
    return read(kTable + R"(
-- transaction: transfer(x, y)
SELECT a FROM t WHERE k = :x )" +
                lock + R"(;
UPDATE t SET a = a + 1 WHERE k = :x;
)");
  };
  EXPECT_EQ(look(text(""), "rc", 2).outcome, Outcome::AnomalyFound);
  EXPECT_EQ(look(text("FOR UPDATE"), "rc", 2).outcome, Outcome::NoneUpToCycle);
}

TEST(Rule, AnInsertLooksForItsKeyInTheNewestVersion) {
  const auto application = read(kTable + R"(
CREATE FUNCTION once(x int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO t VALUES (x, 0, 0) ON CONFLICT DO NOTHING;
  IF FOUND THEN UPDATE t SET a = a + 1 WHERE k = 0; END IF;
END; $$;
)");
  EXPECT_EQ(look(application, "rc", 3).outcome, Outcome::NoneUpToCycle);
  EXPECT_EQ(look(application, "ec", 2).outcome, Outcome::AnomalyFound);
}

// 11: what was taken out still runs: it inserts the rows that the others find.
TEST(Rule, ProofsKeepThoseThatWereTakenOut) {
  const auto application = example({"tpcc.sql"}, {"new_order", "delivery", "order_status"});
  Options options;
  options.cycle = 2;
  options.prove = true;
  const Analysis analysis = analyze(application, Levels{.common = StoreLevel::Si}, options);
  ASSERT_EQ(analysis.outcome, Outcome::Serializable);
  EXPECT_GT(analysis.proof->rounds.size(), 1u);
}

// 12: programs that are on no cycle do not make the others serializable.
TEST(Rule, AProofGoesOnUntilNothingIsLeft) {
  const auto application =
      example({"smallbank.sql"}, {"balance", "write_check", "transact_savings", "deposit_checking"});
  Options options;
  options.cycle = 2;
  options.prove = true;
  options.scheme = ProofScheme::Inductive;
  EXPECT_EQ(analyze(application, Levels{.common = StoreLevel::Si}, options).outcome, Outcome::NoneUpToCycle);
}

// Where programs are on no cycle of possible dependencies there is nothing to prove.
TEST(Rule, ProgramsThatOnlyFollowEachOtherNeedNoProof) {
  const auto application = read(kTable + R"(
-- transaction: put(x)
INSERT INTO t VALUES (:x, 0, 0);
-- transaction: other()
SELECT 1;
)");
  Options options;
  options.prove = true;
  const Analysis analysis = analyze(application, Levels{.common = StoreLevel::Psi}, options);
  ASSERT_EQ(analysis.outcome, Outcome::Serializable);
  EXPECT_EQ(analysis.proof->kind, Proof::Kind::NoDependencies);
}

TEST(Rule, AQuestionWithoutTimeIsNotAnswered) {
  const auto application = example({"tpcc.sql"}, {"new_order", "payment"});
  Options options;
  options.cycle = 3;
  options.seconds_per_query = 0.001;
  EXPECT_EQ(analyze(application, Levels{.common = StoreLevel::Si}, options).outcome, Outcome::NotDecided);
}

TEST(Rule, StoppingEndsTheSearchUndecided) {
  const auto application = example({"tpcc.sql"});
  Options options;
  options.cycle = 4;
  options.stop = [] { return true; };
  EXPECT_EQ(analyze(application, Levels{.common = StoreLevel::Si}, options).outcome, Outcome::NotDecided);
}

}  // namespace
}  // namespace assay::analysis
