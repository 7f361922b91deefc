// Steps of real time in a story.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explain/explain.h"
#include "support/explained.h"
#include "support/hist.h"

namespace assay {
namespace {

using test::hist;
using testing::ElementsAre;

Explanation story(std::string_view text, Level level, std::int64_t skew = 0) {
  const History history = hist(text);
  Checker checker(history, {.skew = skew});
  const auto verdict = judge_and_name(checker, level);
  EXPECT_TRUE(verdict && std::holds_alternative<Violated>(*verdict));
  Explanation e = explain(checker, level, std::get<Violated>(*verdict));
  EXPECT_THAT(test::ExplanationCheck(history, level, std::get<Violated>(*verdict), e, skew).problems(),
              testing::IsEmpty());
  return e;
}

std::vector<std::string> shape(const Explanation& e) {
  std::vector<std::string> result;
  for (const Dependency& d : e.edges)
    result.push_back(e.part.display(d.from) + " " + std::string(name(d.kind)) + " " + e.part.display(d.to));
  return result;
}

TEST(ExplainRealTime, SaysWhenOneEndedAndTheOtherBegan) {
  const std::string_view text = "S1: <T1 @0..1> w(x,1)  S2: <T2 @5..6> r(x,0)  S3: <T3 @2..9> w(y,1)";
  const Explanation e = story(text, Level::StrictSer);
  EXPECT_EQ(e.name, "stale-initial-read-realtime");
  EXPECT_EQ(title(e), "Stale initial read on x, through real time");
  EXPECT_THAT(shape(e), ElementsAre("T1 rt T2", "T2 rw T1"));
  EXPECT_EQ(e.sentences[0], "T1 ended at 1, before T2 began at 5.");
  EXPECT_THAT(e.still_hold, testing::IsSupersetOf({Level::Ser, Level::SessionSi}));
  EXPECT_EQ(story(text, Level::StrictSer, 3).sentences[0],
            "T1 ended at 1, before T2 began at 5, and their clocks differ by 3 at most.");
}

// The first answer bounds a snapshot from above; a commit is bounded by its request, or the begin.
TEST(ExplainRealTime, NamesTheInstantsThatBoundSnapshotsAndCommits) {
  const Explanation e = story("S1: <T1 @0,1..20,21> r(x,1)  S2: <T2 @8..10,11> w(x,1)", Level::Gsi);
  EXPECT_EQ(e.name, "g1c-realtime");
  EXPECT_THAT(shape(e), ElementsAre("T1 rt T2", "T2 wr T1"));
  EXPECT_EQ(e.sentences[0], "T1 had its first answer at 1, before T2 asked to commit at 10.");
}

TEST(ExplainRealTime, IsInTheNameOnlyWhereItIsNeeded) {
  EXPECT_EQ(story("S1: <T1 @0..1> w(x,1) w(y,1)  S2: <T2 @5..6> r(x,0) r(y,1)", Level::StrictSer).name,
            "read-skew");
  EXPECT_EQ(story("S1: <T1 @0..1> r(x,0) w(x,1) | <T2 @5..6> r(x,0)", Level::StrictSer).name,
            "read-your-writes-violation");
}

TEST(ExplainRealTime, IsNamedByTheShapeOfTheCycle) {
  const auto name = [](std::string_view text) { return story(text, Level::StrictSer).name; };
  EXPECT_EQ(name("S1: <@0..1> append(l,1)  S2: <@5..6> append(l,2)  S3: <@8..9> r(l,[2 1])"), "g0-realtime");
  EXPECT_EQ(name("S1: <@0..3> r(x,1)  S2: <@10..11> w(x,1)"), "g1c-realtime");
  EXPECT_EQ(name("S1: <@0..1> w(x,1)  S2: <@2..3> w(x,2)  S3: <@5..6> r(x,1)"), "g-single-realtime");
  EXPECT_EQ(name("S1: <@5..6> w(b,1)  S2: <@0..20> r(b,0) w(a,1)  S3: <@8..9> r(a,0)"), "read-only-realtime");
  EXPECT_EQ(name("S1: <@5..6> w(b,1)  S2: <@0..20> r(b,0) w(a,1)  S3: <@8..9> r(a,0) w(a,2)"),
            "write-skew-realtime");
}

}  // namespace
}  // namespace assay
