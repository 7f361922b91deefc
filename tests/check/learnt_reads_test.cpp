// Reads that the checker learns about after a verdict, and the next verdict.
#include "check/learnt_reads.h"

#include <gtest/gtest.h>

#include "check/check.h"
#include "support/hist.h"

namespace assay::test {
namespace {

// Whether the last one sees y = 1 or y = 2 is open, until something is known of it.
TEST(LearntReads, AreExplainedByTheNextVerdict) {
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

TEST(LearntReads, ThatNothingExplainsAreNotTaken) {
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
TEST(LearntReads, ThatContradictOthersAreUndecided) {
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
