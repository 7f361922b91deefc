// More updates of a value than versions with it: a lost update that is told by counting.
#include "explain/crowded.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "certify/certify.h"
#include "explain/explain.h"
#include "support/hist.h"

namespace assay::test {
namespace {

using testing::ElementsAre;

// Turns `n` of the n + 1 updates of x=0 into writes that make it 0 again.
std::string pigeons(std::size_t n) {
  std::string text;
  for (std::size_t i = 1; i <= n; ++i) text += "S" + std::to_string(i) + ": w(x,0)  ";
  for (std::size_t i = 0; i <= n + 1; ++i)
    text += "S" + std::to_string(100 + i) + ": <T" + std::to_string(i) + "> r(x,0) w(x," +
            std::to_string(i + 1) + ")  ";
  return text;
}

TEST(ExplainCrowded, CountsUpdatesAndVersions) {
  const History history = hist(pigeons(12));
  for (const Level level : {Level::Psi, Level::Si, Level::Ser, Level::PlainSer}) {
    Checker checker(history);
    const auto verdict = judge_and_name(checker, level);
    ASSERT_TRUE(verdict && std::holds_alternative<Violated>(*verdict)) << id(level);
    const auto& violated = std::get<Violated>(*verdict);
    EXPECT_EQ(violated.proof.back().kind, Rule::Crowded) << id(level);
    const Explanation e = explain(checker, level, violated);
    EXPECT_EQ(e.name, "lost-update") << id(level);
    EXPECT_EQ(e.part.transaction_count(), 26u) << id(level);
    EXPECT_EQ(title(e), "Lost update on x") << id(level);
    EXPECT_THAT(
        e.sentences,
        ElementsAre("14 transactions read x=0 and then wrote x: T0, T1, T2, T3, T4 and 9 others.",
                    "They can have read only 13 versions: the initial one, that of S1:1, that of S2:1, "
                    "that of S3:1, that of S4:1 and 8 others.",
                    "So two of them read the same version, and each overwrote it without having seen the "
                    "other's write."))
        << id(level);
  }
}

TEST(ExplainCrowded, HoldsWithAsManyVersionsAsUpdates) {
  const History history = hist(pigeons(12) + "S200: w(x,0)");
  for (const Level level : {Level::Psi, Level::Si, Level::Ser}) {
    Checker checker(history);
    const auto verdict = checker.judge(level);
    EXPECT_TRUE(verdict && std::holds_alternative<Holds>(*verdict)) << id(level);
  }
}

// C is after all who read x, so it is not C's version that they read. Without that order they could have read
// it.
TEST(ExplainCrowded, SaysWhereTheOrderOfOthersLeavesFewerVersions) {
  const History history = hist(
      "S1: <A> w(x,1)  S2: <B> w(x,1)  S3: <T1> r(x,1) w(x,2) w(p,1)  S4: <T2> r(x,1) w(x,3) w(q,1)  "
      "S5: <T3> r(x,1) w(x,4) w(s,1)  S6: <C> r(p,1) r(q,1) r(s,1) w(x,1)");
  for (const Level level : {Level::Psi, Level::Si, Level::Ser}) {
    Checker checker(history);
    const auto verdict = judge_and_name(checker, level);
    ASSERT_TRUE(verdict && std::holds_alternative<Violated>(*verdict)) << id(level);
    const auto& violated = std::get<Violated>(*verdict);
    EXPECT_TRUE(certify(history, level, violated.proof)) << id(level);
    const Explanation e = explain(checker, level, violated);
    EXPECT_EQ(e.name, "g-single") << id(level);
    EXPECT_EQ(e.part.transaction_count(), 6u) << id(level);
    ASSERT_EQ(e.sentences.size(), 3u) << id(level);
    EXPECT_EQ(e.sentences[1],
              "What else is known of the order leaves them only 2 versions: that of A and that of B.");
  }
}

}  // namespace
}  // namespace assay::test
