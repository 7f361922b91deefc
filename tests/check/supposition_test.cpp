// Suppositions, the outcomes that are assumed first, and which assumptions a violation can do without.
#include "check/supposition.h"

#include <gtest/gtest.h>

#include "check/fewer_assumptions.h"
#include "check/likely_outcomes.h"
#include "support/hist.h"

namespace assay::test {
namespace {

std::vector<bool> took(const std::vector<Truth>& outcomes) {
  std::vector<bool> all;
  for (const Truth& outcome : outcomes) all.push_back(outcome.took);
  return all;
}

constexpr Invisible kX{OpId(3), KeyId(0)}, kY{OpId(3), KeyId(1)};
constexpr Truth kXChanged{OpId(3), KeyId(0), true};

TEST(Supposition, LeavesTheOneItWasMadeFromAsItWas) {
  const Supposition before{.reads = {kY}};
  const Supposition after = with_reads(before, {kX, kY});
  EXPECT_EQ(after.reads, (std::vector{kX, kY}));
  EXPECT_EQ(before.reads, std::vector{kY});
}

TEST(Supposition, HoldsNothingForCertainInAnotherCase) {
  const Supposition one{.deferred = {kX, kY}, .conditional = {kX}, .certain = {kXChanged}};
  EXPECT_EQ(decided_by_execution(one), std::vector{kY});
  const Supposition other = assuming(one, {});
  EXPECT_TRUE(other.certain.empty());
  EXPECT_EQ(other.conditional, std::vector{kX});
  EXPECT_EQ(decided_by_execution(other), (std::vector{kX, kY}));
}

TEST(Supposition, KeepsOnlyReadsWhereOtherRowsAreDeferred) {
  const Supposition one{.reads = {kY}, .assumed = {kXChanged}, .deferred = {kY}, .conditional = {kY}};
  const Supposition other = deferring(one, {kX});
  EXPECT_EQ(other.reads, one.reads);
  EXPECT_EQ(other.deferred, std::vector{kX});
  EXPECT_TRUE(other.assumed.empty());
  EXPECT_TRUE(other.conditional.empty());
}

TEST(Supposition, MakesNoReadOfARowWhoseOutcomeIsOpen) {
  const History history = hist("@initial 0 S1: update-maybe(value = 0,[x=1])  S2: r(x,0)");
  const StatementFacts facts = statement_facts(history).value();
  ASSERT_EQ(facts.outcomes.open.size(), 1u);
  const Invisible row = facts.outcomes.open.front();
  EXPECT_TRUE(completion_of(facts, {.reads = {row}, .deferred = {row}}).reads.empty());
  const Supposition assumed{.reads = {row}, .assumed = {{row.op, row.key, false}}};
  EXPECT_EQ(completion_of(facts, assumed).reads, std::vector{row});
}

TEST(LikelyOutcomes, AreThoseOfTheTransactionsOneAfterAnother) {
  const History history =
      hist("@initial 0 S1: w(x,7) | w(y,8)  S2: update-maybe(value = 7,[x=1 y=1 z=1])  S3: w(z,7)");
  const StatementFacts facts = statement_facts(history).value();
  const auto likely = likely_outcomes(facts, {});
  ASSERT_EQ(likely.size(), 2u);  // y never was 7
  EXPECT_EQ(took(likely), (std::vector{true, false}));
  EXPECT_TRUE(likely_outcomes(facts, facts.outcomes.open).empty());
}

// Both rows match, and it says that it changed one of them.
TEST(LikelyOutcomes, AreChangedWhereACountSaysSo) {
  const History history = hist("@initial 0 S1: update-maybe(value = 0,[x=1 y=1],1)");
  const StatementFacts facts = statement_facts(history).value();
  const auto likely = likely_outcomes(facts, {});
  EXPECT_EQ(took(likely), (std::vector{true, true}));
  EXPECT_EQ(took(*completed(facts, likely, {}, {})), (std::vector{false, true}));
  std::vector<Truth> fixed{likely[0]};
  EXPECT_EQ(took(*completed(facts, likely, fixed, {})), (std::vector{true, false}));
  EXPECT_FALSE(completed(facts, likely, likely, {}).has_value());
}

// x and y make a lost update whatever became of z.
TEST(FewerAssumptions, AreEnoughWhereTheViolationDoesNotRestOnThem) {
  const History history =
      hist("@initial 0 S1: r(x,0) w(x,1)  S2: r(x,0) w(x,2)  S3: w(z,7)  S4: update-maybe(value = 7,[z=1])");
  RefinementLoop loop(statement_facts(history).value(), {});
  ASSERT_EQ(loop.facts().outcomes.open.size(), 1u);
  auto subject = loop.make({.assumed = likely_outcomes(loop.facts(), {})});
  ASSERT_TRUE(subject.has_value());
  auto judged = loop.judge(Level::Ser, *subject);
  ASSERT_TRUE(judged && judged->is_violated());
  const auto fewer = with_fewer_assumptions(loop, Level::Ser, std::get<StatementVerdict>(judged->end));
  ASSERT_TRUE(fewer.has_value());
  EXPECT_TRUE(std::holds_alternative<Violated>(fewer->verdict));
  EXPECT_TRUE(fewer->subject->supposition.assumed.empty());
}

}  // namespace
}  // namespace assay::test
