// Steps of real time in a story, from proofs made by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/core.h"
#include "explain/explain.h"
#include "support/hist.h"
#include "verdict/certify.h"

namespace assay {
namespace {

using test::hist;
using testing::ElementsAre;
using Kind = ProofLine::Kind;

// An explanation of a proof that the certificate checker accepts.
Explanation story(const History& history, Level level, const Proof& proof, std::int64_t skew = 0) {
  const auto certified = certify(history, level, proof, skew);
  EXPECT_TRUE(certified) << certified.error().describe();
  Checker checker(history);
  EXPECT_TRUE(checker.judge(Level::Ser));
  const Name name = checker.name(level, proof);
  return explain(checker, level, {name.anomaly, name.needs_session_order, proof, name.needs_real_time},
                 {.skew = skew});
}

std::vector<std::string> shape(const Explanation& e) {
  std::vector<std::string> result;
  for (const Dependency& d : e.edges)
    result.push_back(e.part.display(d.from) + " " + std::string(name(d.kind)) + " " + e.part.display(d.to));
  return result;
}

TEST(ExplainRealTime, SaysWhenOneEndedAndTheOtherBegan) {
  const History h = hist("S1: <T1 @0..1> w(x,1)  S2: <T2 @5..6> r(x,0)");
  const Proof proof{{.kind = Kind::Realtime, .id = 1, .a = TxnId(0), .b = TxnId(1)},
                    {.kind = Kind::Stale, .id = 2, .a = TxnId(0), .op = OpId(1), .lines = {1}}};
  const Explanation e = story(h, Level::StrictSer, proof);
  EXPECT_EQ(e.name, "stale-initial-read-realtime");
  EXPECT_EQ(title(e), "Stale initial read on x, through real time");
  EXPECT_THAT(shape(e), ElementsAre("T1 rt T2", "T2 rw T1"));
  EXPECT_EQ(e.sentences[0], "T1 ended at 1, before T2 began at 5.");
  EXPECT_EQ(story(h, Level::StrictSer, proof, 3).sentences[0],
            "T1 ended at 1, before T2 began at 5, and their clocks differ by 3 at most.");
}

// The first answer bounds a snapshot from above; a commit is bounded by its request, or the begin.
TEST(ExplainRealTime, NamesTheInstantsThatBoundSnapshotsAndCommits) {
  const History h = hist("S1: <T1 @0,1..20,21> r(x,1)  S2: <T2 @8..10,11> w(x,1)");
  const Proof proof{{.kind = Kind::Realtime, .a_commits = false, .id = 1, .a = TxnId(0), .b = TxnId(1)},
                    {.kind = Kind::Reads, .id = 2, .op = OpId(0)},
                    {.kind = Kind::Refute, .id = 3, .lines = {1, 2}}};
  const Explanation e = story(h, Level::Gsi, proof);
  EXPECT_EQ(e.name, "g1c-realtime");
  EXPECT_THAT(shape(e), ElementsAre("T1 rt T2", "T2 wr T1"));
  EXPECT_EQ(e.sentences[0], "T1 had its first answer at 1, before T2 asked to commit at 10.");
}

TEST(ExplainRealTime, IsInTheNameOnlyWhereItIsNeeded) {
  const History h = hist("S1: <T1 @0..1> w(x,1) w(y,1)  S2: <T2 @5..6> r(x,0) r(y,1)");
  const Proof clock{{.kind = Kind::Realtime, .id = 1, .a = TxnId(0), .b = TxnId(1)},
                    {.kind = Kind::Stale, .id = 2, .a = TxnId(0), .op = OpId(2), .lines = {1}}};
  EXPECT_EQ(story(h, Level::StrictSer, clock).name, "stale-initial-read-realtime");  // its proof needs no y
}

}  // namespace
}  // namespace assay
