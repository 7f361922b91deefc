// Values that several transactions wrote: the story is told in cases, each of which ends in a cycle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explain/explain.h"
#include "support/explained.h"
#include "support/hist.h"

namespace assay {
namespace {

using test::hist;
using testing::ElementsAre;

Explanation story(std::string_view text, Level level) {
  const History history = hist(text);
  Checker checker(history);
  const auto verdict = judge_and_name(checker, level);
  EXPECT_TRUE(verdict && std::holds_alternative<Violated>(*verdict));
  Explanation e = explain(checker, level, std::get<Violated>(*verdict));
  EXPECT_THAT(test::ExplanationCheck(history, level, std::get<Violated>(*verdict), e).problems(),
              testing::IsEmpty());
  return e;
}

// "T1 wr T2" for each edge of a case.
std::vector<std::string> cycle(const Explanation& e, const Cases::Case& one) {
  std::vector<std::string> result;
  for (const std::size_t edge : one.cycle) {
    const Dependency& d = e.edges[edge];
    result.push_back(e.part.display(d.from) + " " + std::string(name(d.kind)) + " " + e.part.display(d.to));
  }
  return result;
}

TEST(ExplainCases, EachWriterOfTheValueLeadsToItsOwnCycle) {
  const Explanation e =
      story("S1: <T1> w(x,1) w(y,1)  S2: <T2> w(x,1) w(y,2)  S3: <T3> r(x,1) r(y,0)", Level::Rc);
  EXPECT_EQ(e.name, "non-monotonic-read");
  EXPECT_FALSE(e.has_cycle);
  ASSERT_TRUE(e.cases);
  EXPECT_EQ(e.cases->question, "T3 read x=1, which T1 and T2 wrote.");
  ASSERT_EQ(e.cases->cases.size(), 2u);
  EXPECT_EQ(e.cases->cases[0].supposed, "If it is from T1");
  EXPECT_THAT(cycle(e, e.cases->cases[0]), ElementsAre("T1 wr T3", "T3 rw T1"));
  EXPECT_EQ(e.cases->cases[1].supposed, "If it is from T2");
  EXPECT_THAT(cycle(e, e.cases->cases[1]), ElementsAre("T2 wr T3", "T3 rw T2"));
  EXPECT_EQ(title(e), "Non monotonic read on x and y");
  EXPECT_THAT(e.sentences,
              ElementsAre("T3 read x=1, which T1 and T2 wrote.",
                          "If it is from T1: T3 read x=1 from T1. T3 read y=0, the initial value, which T1 "
                          "overwrote with 1.",
                          "If it is from T2: T3 read x=1 from T2. T3 read y=0, the initial value, which T2 "
                          "overwrote with 2."));
}

TEST(ExplainCases, TheInitialValueIsACaseToo) {
  const Explanation e =
      story("S1: <T1> w(x,0) w(y,1)  S2: <T2> w(x,1) w(y,2) | <T3> r(x,0) r(y,2)", Level::Ra);
  ASSERT_TRUE(e.cases);
  EXPECT_EQ(e.cases->question, "T3 read x=0, which T1 wrote and x had from the start.");
  EXPECT_THAT(e.cases->cases,
              testing::Contains(testing::Field(&Cases::Case::supposed, "If it is the initial value")));
}

TEST(ExplainCases, CasesHaveCasesWhereOneReadDoesNotDecide) {
  const Explanation e = story(
      "S1: <A> w(x,1) w(p,1)  S2: <B> w(x,1) w(b,1)  S3: <O> r(p,1) w(x,2) w(q,1)  S4: <C> r(q,1) w(y,1)  "
      "S5: <D> r(q,1) w(y,1)  S6: <R> r(x,1) r(y,1) r(b,0)",
      Level::Si);
  ASSERT_TRUE(e.cases);
  const auto deeper =
      std::ranges::find_if(e.cases->cases, [](const Cases::Case& one) { return one.cases != nullptr; });
  ASSERT_NE(deeper, e.cases->cases.end());
  EXPECT_TRUE(deeper->cycle.empty());
  EXPECT_NE(deeper->cases->question, e.cases->question);
}

TEST(ExplainCases, AReadThatMakesNoDifferenceIsNotAskedAbout) {
  const Explanation e = story(
      "S1: <T1> r(x,0) w(y,5)  S2: <T2> r(y,0) w(x,5)  S3: <A> w(z,1)  S4: <B> w(z,1)  S5: <C> r(z,1) r(x,5)",
      Level::Ser);
  EXPECT_EQ(e.name, "write-skew");
  EXPECT_FALSE(e.cases);
  EXPECT_TRUE(e.has_cycle);
}

TEST(ExplainCases, TwoUpdatesToTheSameValueAreOneCycle) {
  const Explanation e = story("S1: <T1> r(x,0) w(x,1)  S2: <T2> r(x,0) w(x,1)", Level::Si);
  EXPECT_EQ(e.name, "lost-update");
  EXPECT_TRUE(e.has_cycle);
  EXPECT_THAT(e.sentences, testing::Contains("T2 read x=0, the initial value, which T1 overwrote with 1."));
}

TEST(ExplainCases, AWriterOfUnknownOutcomeTookEffectInItsCase) {
  const Explanation e =
      story("S1: <T1> w(x,1) w(y,1)  S2: <T2> w(x,1) w(y,2)?  S3: <T3> r(x,1) r(y,0)", Level::Ser);
  ASSERT_TRUE(e.cases);
  EXPECT_EQ(e.cases->cases[1].supposed, "If it is from T2, which then took effect");
}

// Where all cases are cycles of reads, that is the name.
TEST(ExplainCases, AreCalledByWhatTheyHaveInCommon) {
  const std::string_view circular =
      "S1: <T1> w(x,1) r(y,1)  S2: <T2> w(y,1) w(z,2) r(x,1)  S3: <T3> w(y,1) r(x,1)";
  EXPECT_EQ(story(circular, Level::Rc).name, "g1c");
  EXPECT_EQ(story(circular, Level::Ser).name, "g1c");
  // From T2 it is a circle of reads, from T3 a read behind what was read before.
  const std::string_view mixed =
      "S1: <T1> w(x,1) r(y,1) r(q,0)  S2: <T2> w(y,1) r(x,1)  S3: <T3> w(y,1) w(q,1)";
  EXPECT_EQ(story(mixed, Level::Rc).name, "non-monotonic-read");
}

}  // namespace
}  // namespace assay
