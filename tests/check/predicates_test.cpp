// Rows and predicates: how many reads and choices they cost, and what is said about them. Their verdicts are
// held against the oracle in tests/random.
#include "check/predicates.h"

#include <gtest/gtest.h>

#include "explain/name.h"
#include "history/builder.h"
#include "support/evidence.h"
#include "support/hist.h"

namespace assay::test {
namespace {

constexpr std::int64_t kKeys = 1000;

// One writes a thousand rows, one deletes them, one writes them again; one finds none of them, though it saw
// what the first one wrote besides. An execution in the order of the sessions does not explain that.
History scan_of_absent_rows() {
  HistoryBuilder b;
  const auto finish = [&](const char* session) {
    ASSERT_TRUE(b.finish({.session = b.session(session)}).has_value());
  };
  const auto each_key = [&](auto visit) {
    for (std::int64_t key = 0; key < kKeys; ++key) visit(b.key(Scalar::integer(key)));
  };
  each_key([&](KeyId key) { b.remove(key, std::nullopt); });
  finish("between");
  each_key([&](KeyId key) { b.write(key, Scalar::integer(1)); });
  b.write(b.key(Scalar::integer(kKeys)), Scalar::integer(7));
  finish("first");
  each_key([&](KeyId key) { b.write(key, Scalar::integer(2)); });
  finish("later");
  b.read(b.key(Scalar::integer(kKeys)), Scalar::integer(7));
  b.scan({Scalar::integer(0), Scalar::integer(kKeys - 1)}, {});
  finish("reader");
  auto history = std::move(b).build();
  EXPECT_TRUE(history.has_value());
  return std::move(history).value();
}

TEST(PredicateChecker, MakesFewChoicesForAScanOverManyAbsentRows) {
  const History history = scan_of_absent_rows();
  for (const CheckOptions& how : {CheckOptions{}, CheckOptions{.greedy = false, .saturation = false}})
    for (const Level level : {Level::Ser, Level::Si}) {
      PredicateChecker checker(history, how);
      const auto verdict = judge_and_name(checker, level);
      ASSERT_TRUE(verdict.has_value());
      EXPECT_TRUE(std::holds_alternative<Holds>(*verdict));
      EXPECT_LE(checker.effort().choices, 10u);
      EXPECT_GT(checker.effort().invisible, 0u);
      EXPECT_LE(checker.effort().invisible, 10u);
    }
}

std::string anomaly(const char* text, Level level) {
  const History history = hist(text);
  PredicateChecker checker(history);
  const auto verdict = judge_and_name(checker, level);
  const auto* fell = verdict ? std::get_if<Violated>(&*verdict) : nullptr;
  return fell ? std::string(anomaly_name(*fell)) : "";
}

TEST(PredicateChecker, NamesPhantoms) {
  const char* skew = "@initial null S1: scan(a,z,[]) insert(c,1)  S2: scan(a,z,[]) insert(d,1)";
  EXPECT_EQ(anomaly(skew, Level::Ser), "phantom");
  EXPECT_EQ(anomaly(skew, Level::Si), "");
  EXPECT_EQ(anomaly("@initial null S1: w(x,2) insert(y,2)  S2: select(value = 2,[x=2])", Level::Ra),
            "phantom");
}

// Two updates of one row: that they went through a predicate is not the point.
TEST(PredicateChecker, CallsALostUpdateByItsName) {
  EXPECT_EQ(anomaly("S1: update(value = 0,[x=1])  S2: update(value = 0,[x=2])", Level::Si), "lost-update");
}

// Figure 1 of the paper on truth constraints: had the update met y = 2, the select would have to come before
// it and see y.
TEST(PredicateChecker, TriesBothTruthsOfAnUpdate) {
  const char* text =
      "@initial null S1: insert(x,1) insert(y,1)  S2: w(x,2) w(y,2)  S3: update-maybe(value = 2,[x=3 y=3])  "
      "S4: select(value = 2,[x=2])";
  EXPECT_EQ(anomaly(text, Level::Ser), "phantom");
  const History history = hist(text);
  PredicateChecker checker(history);
  const auto verdict = checker.judge(Level::Ser);
  ASSERT_TRUE(verdict.has_value());
  const Section section = checker.section();
  EXPECT_TRUE(certify_as_text(history, section));
  EXPECT_FALSE(section.completion.rows.empty());  // one proof, in which they are choices
  EXPECT_TRUE(section.other_cases.empty());
}

// Where the order is not total, each way is a case of its own.
TEST(PredicateChecker, TriesBothTruthsOfAnUpdateByCases) {
  const History history = hist(
      "@initial null S1: insert(x,1) insert(y,1)  S2: w(x,2) w(y,2)  S3: update-maybe(value = 2,[x=3 y=3])  "
      "S4: select(value = 2,[x=2])");
  PredicateChecker checker(history);
  const auto verdict = checker.judge(Level::Ra);
  ASSERT_TRUE(verdict.has_value());
  const Section section = checker.section();
  EXPECT_TRUE(certify_as_text(history, section));
  Section less = section;
  less.other_cases.clear();
  EXPECT_FALSE(section.other_cases.empty());
  EXPECT_FALSE(certify_as_text(history, less));
}

// Many rows that may have been changed, none of them in anybody's way, cost nothing; those of one key that is
// cost what that key has.
TEST(PredicateChecker, MakesRowsThatMayHaveChangedOnlyWhereTheyAreInTheWay) {
  std::string text = "@initial 0 S1: w(k0,7) | w(k0,8)  S2: update-maybe(value = 7 or value = 0,[k0=1";
  for (int i = 1; i < 200; ++i) text += " k" + std::to_string(i) + "=1";
  text += "])  S3: r(k0,8) | r(k0,8)  S4: r(k0,7)";
  const History history = hist(text);
  PredicateChecker checker(history, {.greedy = false});
  const auto verdict = checker.judge(Level::Ser);
  ASSERT_TRUE(verdict.has_value());
  EXPECT_TRUE(std::holds_alternative<Holds>(*verdict));
  EXPECT_TRUE(certify_as_text(history, checker.section()));
  EXPECT_LE(checker.effort().choices, 20u);
  EXPECT_LE(checker.effort().rows, 1u);
}

TEST(PredicateChecker, KeepsTheCountOfAnUpdate) {
  const auto text = [](int count) {
    return "@initial 0 S1: w(x,5) | update-maybe(value = 0,[x=1 y=1]," + std::to_string(count) +
           ") | r(x,5) r(y,1)";
  };
  EXPECT_EQ(anomaly(text(1).c_str(), Level::Ser), "");
  EXPECT_NE(anomaly(text(0).c_str(), Level::Ser), "");
  EXPECT_NE(anomaly(text(2).c_str(), Level::Ser), "");
}

// What a scan returns, a deleted row among it, needs no choice: a tombstone says whose deletion it is.
TEST(PredicateChecker, TakesTheOrderOfDeletesFromTombstones) {
  std::string text = "@initial null S1: insert(a,0) insert(b,0)";
  for (int i = 0; i < 20; ++i) {
    const std::string gone = "gone" + std::to_string(i);
    text += " | w(a," + gone + ") | w(a," + std::to_string(i + 1) + ")";
  }
  text += "  S2: scan(a,b,[a=gone5 b=0]) | scan(a,b,[a=gone3 b=0])";
  const History history = hist(text);
  PredicateChecker checker(history);
  const auto verdict = checker.judge(Level::Ser);
  ASSERT_TRUE(verdict.has_value());
  EXPECT_TRUE(std::holds_alternative<Violated>(*verdict));
  EXPECT_EQ(checker.effort().choices, 0u);
  EXPECT_TRUE(checker.subject()->items.completion.reads.empty());
}

}  // namespace
}  // namespace assay::test
