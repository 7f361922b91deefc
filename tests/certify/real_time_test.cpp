// Levels of real time: orders that go against the clocks, and what clocks prove.
#include <gtest/gtest.h>

#include "certify/certifying.h"
#include "isolation/real_time.h"
#include "support/hist.h"

namespace assay::test {
namespace {

testing::Matcher<std::string> unfinished() { return refused("does not end in a contradiction"); }

TEST(RealTimeOrder, PutsWhatEndedBeforeWhatBegan) {
  const History h = hist("S1: <@0..10> w(x,1)  S2: <@20..30> w(x,2)");
  EXPECT_THAT(complaint(h, "strict-ser skew 0 holds", "order c1 c2"), accepted());
  EXPECT_THAT(complaint(h, "strict-ser skew 0 holds", "order c2 c1"),
              refused("c1 is after c2, which it precedes in real time"));
  EXPECT_THAT(complaint(h, "strict-ser skew 9 holds", "order c2 c1"), refused("c1 is after c2"));
  EXPECT_THAT(complaint(h, "strict-ser skew 10 holds", "order c2 c1"), accepted());
  EXPECT_THAT(complaint(h, "strict-ser skew 9223372036854775807 holds", "order c2 c1"), accepted());
}

TEST(RealTimeOrder, OfSerializableLevelsLooksAtBeginAndEndOnly) {
  const History h = hist("S1: <@0,1..2,30> w(x,1)  S2: <@20,21..29,40> w(x,2)");
  EXPECT_THAT(complaint(h, "strict-ser skew 0 holds", "order c2 c1"), accepted());
  // Its snapshot is from before the other committed: as the clocks say.
  EXPECT_THAT(complaint(h, "gsi skew 0 holds", "order s2 c2 s1 c1"),
              refused("s1 is after c2, which it precedes"));
}

TEST(RealTimeOrder, HasTheKindsOfEdgesOfItsLevel) {
  const History h = hist("S1: <@0..10> w(x,1)  S2: <@20..30> r(y,0)");
  // An old snapshot.
  const char* const old = "order s2 s1 c1 c2";
  EXPECT_THAT(complaint(h, "strong-si skew 0 holds", old), refused("c1 is after s2, which it precedes"));
  EXPECT_THAT(complaint(h, "session-si skew 0 holds", old), accepted());
  EXPECT_THAT(complaint(h, "gsi skew 0 holds", old), accepted());
  // One from the future, and commits that changed places.
  for (const char* level : {"strong-si", "session-si", "gsi"}) {
    EXPECT_THAT(complaint(h, std::string(level) + " skew 0 holds", "order s2 c2 s1 c1"),
                refused("is after c2"));
    EXPECT_THAT(complaint(h, std::string(level) + " skew 0 holds", "order s1 s2 c2 c1"),
                refused(level == std::string("strong-si") ? "c1 is after s2" : "c1 is after c2"));
    EXPECT_THAT(complaint(h, std::string(level) + " skew 0 holds", "order s1 c1 s2 c2"), accepted());
  }
}

TEST(RealTimeOrder, OfGsiHasNoSessions) {
  const History h = hist("S1: <@0..10> w(x,1) | <@5..30> r(x,0)");
  EXPECT_THAT(complaint(h, "gsi skew 0 holds", "order s1 s2 c1 c2"), accepted());
  EXPECT_THAT(complaint(h, "session-si skew 0 holds", "order s1 s2 c1 c2"),
              refused("precedes it in its session"));
}

TEST(RealTimeOrder, LetsTheFirstCommitterWin) {
  const History h = hist("S1: <@0..10> w(x,1)  S2: <@5..12> w(x,2)");
  for (const char* level : {"strong-si", "session-si", "gsi"})
    EXPECT_THAT(complaint(h, std::string(level) + " skew 0 holds", "order s1 s2 c1 c2"),
                refused("transaction 2 writes key x"));
}

TEST(RealTimeOrder, DoesNotBoundTheCommitOfAnUnknownTransaction) {
  const History h = hist("S1: <@0,1..2,3> w(x,1)?  S2: <@20..30> r(x,0)  S3: <@40..50> r(x,1)");
  EXPECT_THAT(complaint(h, "strict-ser skew 0 holds", "order c2 c1 c3"), accepted());
  EXPECT_THAT(complaint(h, "strong-si skew 0 holds", "order s1 s2 c2 c1 s3 c3"), accepted());
  // Its snapshot was taken when its first statement was answered.
  EXPECT_THAT(complaint(h, "strong-si skew 0 holds", "order s2 c2 s1 c1 s3 c3"), refused("s1 is after c2"));
  const History silent = hist("S1: <@0..> w(x,1)?  S2: <@20..30> r(x,0)  S3: <@40..50> r(x,1)");
  EXPECT_THAT(complaint(silent, "strong-si skew 0 holds", "order s2 c2 s1 c1 s3 c3"), accepted());
  const History nothing = hist("S1: w(x,1)?  S2: <@20..30> r(x,0)  S3: <@40..50> r(x,1)");
  EXPECT_THAT(complaint(nothing, "strong-si skew 0 holds", "order s2 c2 s1 c1 s3 c3"), accepted());
}

TEST(RealTimeOrder, AllowsASnapshotAtTheFirstStatement) {
  const History h = hist("S1: <@0,5..7> r(x,1)  S2: <@2..3,4> w(x,1)");
  EXPECT_THAT(complaint(h, "gsi skew 0 holds", "order s2 c2 s1 c1"), accepted());
  EXPECT_THAT(complaint(h, "strong-si skew 0 holds", "order s2 c2 s1 c1"), accepted());
}

TEST(RealTime, NeedsBeginAndEndOfWhatCommitted) {
  for (const char* text : {"S1: <@1..> r(x,0)", "S1: <@..1> r(x,0)", "S1: r(x,0)"}) {
    EXPECT_THAT(complaint(hist(text), "strict-ser skew 0 holds", "order c1"),
                testing::HasSubstr("does not say when it"))
        << text;
    EXPECT_THAT(complaint(hist(text), "gsi skew 0 violated", "1 wrong 1.1"),
                testing::HasSubstr("does not say when it"))
        << text;
  }
  EXPECT_THAT(complaint(hist("S1: <@0..1> r(x,0)  S2: r(x,0)!  S3: <@3..> r(x,0)?"),
                        "strict-ser skew 0 holds", "order c1"),
              accepted());
}

TEST(ProofRealTime, IsWhatTheClocksTell) {
  const History h = hist("S1: <@0..10> w(x,1)  S2: <@20..30> r(x,0)");
  EXPECT_THAT(complaint(h, "strict-ser skew 0 violated", "1 realtime 1 2 / 2 stale 2.1 1 1"), accepted());
  EXPECT_THAT(complaint(h, "strict-ser skew 9 violated", "1 realtime c1 c2 / 2 stale 2.1 1 1"), accepted());
  EXPECT_THAT(complaint(h, "strict-ser skew 10 violated", "1 realtime 1 2"),
              refused("no clock tells that c1 is before c2"));
  EXPECT_THAT(complaint(h, "strict-ser skew 0 violated", "1 realtime 2 1"), refused("no clock tells"));
  EXPECT_THAT(complaint(h, "strict-ser skew 0 violated", "1 realtime 1 1"), refused("two transactions"));
  EXPECT_THAT(complaint(h, "strict-ser skew 0 violated", "1 realtime 1 s2"),
              refused("strict-ser has no snapshots"));
  EXPECT_THAT(complaint(h, "ser violated", "1 realtime 1 2"), refused("ser does not have this rule"));
  EXPECT_THAT(complaint(h, "cc violated", "1 realtime 1 2"), refused("cc does not have this rule"));
  EXPECT_THAT(complaint(h, "si violated", "1 realtime 1 s2"),
              refused("si does not have this rule for c1 and s2"));
}

TEST(ProofRealTime, HasTheKindsOfEdgesOfItsLevel) {
  const History h = hist("S1: <@0,1..9,10> w(x,1)  S2: <@20,21..29,30> r(x,0)");
  EXPECT_THAT(complaint(h, "strong-si skew 0 violated", "1 realtime 1 s2 / 2 stale 2.1 1 1"), accepted());
  EXPECT_THAT(complaint(h, "strong-si skew 0 violated", "1 realtime s1 2 / 2 realtime 1 2"), unfinished());
  EXPECT_THAT(complaint(h, "strong-si skew 0 violated", "1 realtime s1 s2"),
              refused("does not have this rule for s1 and s2"));
  for (const char* level : {"session-si", "gsi"}) {
    const std::string claim = std::string(level) + " skew 0 violated";
    EXPECT_THAT(complaint(h, claim, "1 realtime 1 s2"), refused("does not have this rule for c1 and s2"));
    EXPECT_THAT(complaint(h, claim, "1 realtime s1 2 / 2 realtime 1 2"), unfinished());
    EXPECT_THAT(complaint(h, claim, "1 realtime s1 s2"), refused("does not have this rule"));
  }
  // committing and began are tighter than begin and end.
  const History apart = hist("S1: <@0,1..9,40> w(x,1)  S2: <@0,21..29,50> r(x,0)");
  EXPECT_THAT(complaint(apart, "gsi skew 0 violated", "1 realtime s1 2"), unfinished());
  EXPECT_THAT(complaint(apart, "gsi skew 0 violated", "1 realtime 1 2"), refused("no clock tells"));
  EXPECT_THAT(complaint(apart, "strict-ser skew 0 violated", "1 realtime 1 2"), refused("no clock tells"));
}

TEST(ProofRealTime, HasTheRulesOfSnapshotIsolation) {
  const History h = hist("S1: <@0..10> r(x,0) w(x,1)  S2: <@5..12> r(x,0) w(x,2)");
  for (const char* level : {"strong-si", "session-si", "gsi"})
    EXPECT_THAT(complaint(h, std::string(level) + " skew 0 violated",
                          "1 overwritten 1.1 2 / 2 exclusive 1.2 2 1 / 3 overwritten 2.1 1 / 4 refute 2 3"),
                accepted());
  EXPECT_THAT(
      complaint(h, "strict-ser skew 0 violated", "1 overwritten 1.1 2 / 2 overwritten 2.1 1 / 3 refute 1 2"),
      accepted());
  const History sessions = hist("S1: <@0..10> w(x,1) | <@11..12> r(x,0)");
  EXPECT_THAT(complaint(sessions, "session-si skew 5 violated", "1 session 1 2 / 2 stale 2.1 1 1"),
              accepted());
  EXPECT_THAT(complaint(sessions, "gsi skew 5 violated", "1 session 1 2"),
              refused("gsi has no session order"));
}

TEST(ProofRealTime, KnowsThatAnUnknownTransactionCommitsAtAnyTime) {
  const History h = hist("S1: <@0,1..2,3> w(x,1)?  S2: <@20..30> r(x,0)  S3: <@40..50> r(x,1)");
  EXPECT_THAT(complaint(h, "strong-si skew 0 violated", "1 realtime 1 s2"), refused("no clock tells"));
  EXPECT_THAT(complaint(h, "strong-si skew 0 violated", "1 realtime s1 2"), unfinished());
  EXPECT_THAT(complaint(h, "strict-ser skew 0 violated", "1 realtime 1 2"), refused("no clock tells"));
  EXPECT_THAT(complaint(hist("S1: <@40..50> w(x,1)?  S2: <@0..10> r(x,1)"), "strict-ser skew 0 violated",
                        "1 realtime 2 1 / 2 reads 2.1 / 3 refute 1 2"),
              accepted());
  EXPECT_THAT(complaint(hist("S1: <@40..50> w(x,1)?  S2: <@0..10> r(x,0)"), "strict-ser skew 0 violated",
                        "1 realtime 2 1"),
              unfinished());
  EXPECT_THAT(complaint(hist("S1: <@0,1..2,3> w(x,1)?  S2: <@40..50> r(x,0)"), "strong-si skew 0 violated",
                        "1 realtime s1 2"),
              refused("transaction 1 does not count"));
}

TEST(RealTimeBounds, DoNotOverflow) {
  const Bounds early{{}, INT64_MIN + 1}, late{INT64_MAX, {}};
  EXPECT_TRUE(precedes(early, late, 0));
  EXPECT_TRUE(precedes(early, late, INT64_MAX));
  EXPECT_FALSE(precedes(late, early, 0));
  EXPECT_FALSE(precedes({{}, 5}, {5, {}}, 0));
  EXPECT_TRUE(precedes({{}, 5}, {6, {}}, 0));
  EXPECT_FALSE(precedes({{}, 5}, {6, {}}, 1));
  EXPECT_FALSE(precedes({{}, {}}, {6, {}}, 0));
  EXPECT_FALSE(precedes({{}, 5}, {{}, {}}, 0));
}

}  // namespace
}  // namespace assay::test
