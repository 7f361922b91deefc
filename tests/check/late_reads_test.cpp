// Reads that join a search that is under way (dependency/late_reads.h, Checker::learn).
#include "dependency/late_reads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/check.h"
#include "support/hist.h"

namespace assay::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

std::vector<VersionId> candidates(const ReadFacts& facts, std::size_t open) {
  const auto span = facts.candidates_of(facts.open[open]);
  return {span.begin(), span.end()};
}

// x = 1 has two possible writers.
const char* kRepeated = "S1: w(x,1)  S2: w(x,1)  S3: w(x,2) w(y,1)  S4: r(x,1)  S5: w(z,1)";

TEST(LateReads, StandWithTheOpenReadsOfTheirReader) {
  const History history = hist(kRepeated);
  ReadFacts facts = read_facts(history, true).value();
  ASSERT_THAT(facts.open, SizeIs(1));
  const VersionId initial = facts.initial_version(KeyId(1)), written = *facts.versions_by(TxnId(2)).begin();
  const MovedReads moved = add_late_reads(
      facts,
      {{TxnId(4), KeyId(1), {initial}}, {TxnId(3), KeyId(1), {initial, VersionId(written.value + 1)}}});
  ASSERT_THAT(facts.open, SizeIs(3));
  EXPECT_EQ(facts.open[0].reader, TxnId(3));
  EXPECT_EQ(facts.open[0].key, KeyId(0));
  EXPECT_EQ(facts.open[1].key, KeyId(1));
  EXPECT_EQ(facts.open[2].reader, TxnId(4));
  EXPECT_THAT(candidates(facts, 1), SizeIs(2));
  EXPECT_THAT(moved.open, ElementsAre(0u));
  EXPECT_THAT(moved.candidates, ElementsAre(0u, 1u));
  EXPECT_THAT(moved.changed, ElementsAre(1u, 2u));
}

TEST(LateReads, NarrowAnOpenReadOfTheSameKey) {
  const History history = hist(kRepeated);
  ReadFacts facts = read_facts(history, true).value();
  const auto before = candidates(facts, 0);
  ASSERT_THAT(before, SizeIs(2));
  const MovedReads moved = add_late_reads(facts, {{TxnId(3), KeyId(0), {before[1]}}});
  EXPECT_THAT(facts.open, SizeIs(1));
  EXPECT_THAT(candidates(facts, 0), ElementsAre(before[1]));
  EXPECT_THAT(moved.candidates, ElementsAre(MovedReads::kGone, 0u));
  EXPECT_THAT(moved.changed, ElementsAre(0u));
}

TEST(LateReads, OfOneKeyAreOfOneVersion) {
  const History history = hist(kRepeated);
  ReadFacts facts = read_facts(history, true).value();
  const VersionId first(0), second(1), third = facts.initial_version(KeyId(0));
  add_late_reads(facts, {{TxnId(4), KeyId(0), {first, second}}, {TxnId(4), KeyId(0), {third, second}}});
  ASSERT_THAT(facts.open, SizeIs(2));
  EXPECT_THAT(candidates(facts, 1), ElementsAre(second));
}

// Whether the last one sees y = 1 or y = 2 is open, until something is known of it.
TEST(LateReads, AreExplainedByTheNextVerdict) {
  const History history = hist("S1: w(x,1) w(y,1)  S2: w(y,2)  S3: r(x,1)");
  for (const bool saturation : {true, false}) {
    for (const auto wanted : {std::int64_t{1}, std::int64_t{2}}) {
      const auto fits = [&](KeyValueId v) { return history.value(v) == Scalar::integer(wanted); };
      Checker checker(history, {.greedy = false, .saturation = saturation, .will_learn = true});
      auto verdict = checker.judge(Level::Ser);
      ASSERT_TRUE(verdict && std::holds_alternative<Holds>(*verdict));
      ASSERT_TRUE(
          checker.learn(std::get<Holds>(*verdict).order, std::vector<NewRead>{{TxnId(2), KeyId(1), fits}}));
      verdict = checker.judge(Level::Ser);
      ASSERT_TRUE(verdict && std::holds_alternative<Holds>(*verdict));
      std::vector<TxnId> order;
      for (const Point& p : std::get<Holds>(*verdict).order) order.push_back(p.txn);
      const auto at = [&](std::uint32_t t) { return std::ranges::find(order, TxnId(t)) - order.begin(); };
      const bool sees_second = at(1) < at(2) && at(0) < at(1);
      EXPECT_EQ(sees_second, wanted == 2);
      EXPECT_LT(at(0), at(2));
    }
  }
}

TEST(LateReads, ThatNothingExplainsAreNotTaken) {
  const History history = hist("S1: w(x,1) w(y,1)  S2: r(x,1)");
  Checker checker(history, {.will_learn = true});
  const auto verdict = checker.judge(Level::Ser);
  ASSERT_TRUE(verdict && std::holds_alternative<Holds>(*verdict));
  const auto nothing = [](KeyValueId) { return false; };
  EXPECT_FALSE(
      checker.learn(std::get<Holds>(*verdict).order, std::vector<NewRead>{{TxnId(1), KeyId(1), nothing}}));
}

// Nobody can point to what was added: a violation is for a history that has it. Clocks tell at once that
// there is none.
TEST(LateReads, ThatContradictOthersAreUndecided) {
  const History history = hist("S1: w(x,1) w(y,1)  S2: r(x,1)");
  const auto initial = [&](KeyValueId v) { return history.value(v) == Scalar::integer(0); };
  for (const bool saturation : {true, false}) {
    Checker checker(history, {.greedy = false, .saturation = saturation, .will_learn = true});
    auto verdict = checker.judge(Level::Ser);
    ASSERT_TRUE(verdict && std::holds_alternative<Holds>(*verdict));
    const bool taken =
        checker.learn(std::get<Holds>(*verdict).order, std::vector<NewRead>{{TxnId(1), KeyId(1), initial}});
    EXPECT_EQ(taken, !saturation);
    if (!taken) continue;
    verdict = checker.judge(Level::Ser);
    EXPECT_TRUE(verdict && std::holds_alternative<Undecided>(*verdict));
  }
}

}  // namespace
}  // namespace assay::test
