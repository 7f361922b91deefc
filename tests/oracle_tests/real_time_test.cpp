// Levels that bound points by what the clients' clocks showed: <@begin,began..committing,end>.
#include <gtest/gtest.h>

#include "oracle_tests/verdicts.h"
#include "support/hist.h"

namespace assay::test {
namespace {

TEST(OracleRealTime, SnapshotsMayBeTakenUntilTheFirstAnswer) {
  expect_verdicts({
      {"the snapshot lies in 0..5 and the commit in 3..4", "S1: <@0,5..7> r(x,1)  S2: <@2..3,4> w(x,1)",
       "all"},
      {"answered at 1, before the commit request at 3: a locking database, serializable",
       "S1: <@0,1..8,9> r(x,1)  S2: <@2..3,4> w(x,1)", "rc ra cc pc psi si adya-si ser plain-ser strict-ser"},
      {"when it was answered is not known", "S1: <@0..8,9> r(x,1)  S2: <@2..3,4> w(x,1)", "all"},
      {"the commit may be as early as the begin when its request is not known",
       "S1: <@0,3..8,9> r(x,1)  S2: <@2..4> w(x,1)", "all"},
      {"answered at 1, before the writer began at 2", "S1: <@0,1..8,9> r(x,1)  S2: <@2..4> w(x,1)",
       "rc ra cc pc psi si adya-si ser plain-ser strict-ser"},
  });
}

TEST(OracleRealTime, SnapshotsMayBeOldButNotFromTheFuture) {
  expect_verdicts({
      {"an old snapshot: the writer had ended before the reader began",
       "S1: <@0..1> w(x,1)  S2: <@5..6> r(x,0)", "rc ra cc pc psi si adya-si gsi session-si ser plain-ser"},
      {"an old snapshot in the session", "S1: <@0..1> w(x,1) | <@5..6> r(x,0)", "rc adya-si gsi plain-ser"},
      {"the writer began after the reader had ended", "S1: <@0..3> r(x,1)  S2: <@10..11> w(x,1)",
       "rc ra cc pc psi si adya-si ser plain-ser"},
      {"the writer began after the reader's first answer, and the reader ended later",
       "S1: <@0,1..20,21> r(x,1)  S2: <@10..11> w(x,1)",
       "rc ra cc pc psi si adya-si ser plain-ser strict-ser"},
      {"snapshots are not ordered among themselves: S3's, taken later, is older",
       "S1: <@0,1..100,101> r(x,1)  S2: <@0..0,50> w(x,1)  S3: <@5,6..100,101> r(x,0)", "all"},
      {"what ended at the instant another began may be concurrent", "S1: <@0..5> w(x,1)  S2: <@5..6> r(x,0)",
       "all"},
  });
}

TEST(OracleRealTime, CommitsAreOrdered) {
  // S3 wants S2 before S1.
  const auto* text = "S1: <@0..1> w(x,1)  S2: <@5..6> w(x,2) w(y,2)  S3: <@8..9> r(x,1) r(y,2)";
  const auto* without_time = "rc ra cc pc psi si adya-si ser plain-ser";
  expect_verdicts({{"1 is before 5", text, without_time}});
  expect_verdicts({{"1 + 3 is before 5", text, without_time}}, {.skew = 3});
  expect_verdicts({{"1 + 4 is not before 5", text, "all"}}, {.skew = 4});
  expect_verdicts({
      {"the commit of S1 at 4..6 may be after that of S2 at 5..6",
       "S1: <@0..4,6> w(x,1)  S2: <@2,3..5,6> w(x,2) w(y,2)  S3: <@8..9> r(x,1) r(y,2)", "all"},
      {"concurrent as transactions, but one's answer came before the other's commit request",
       "S1: <@0,1..2,3> w(x,1)  S2: <@2,3..5,6> w(x,2) w(y,2)  S3: <@8..9> r(x,1) r(y,2)",
       "rc ra cc pc psi si adya-si ser plain-ser strict-ser"},
  });
}

TEST(OracleRealTime, SkewAppliesToEveryPairOfClients) {
  const auto* old_snapshot = "S1: <@0..1> w(x,1)  S2: <@5..6> r(x,0)";
  expect_verdicts({{"", old_snapshot, "all"}}, {.skew = 4});
  const auto* future = "S1: <@0..3> r(x,1)  S2: <@10..11> w(x,1)";
  expect_verdicts({{"", future, "rc ra cc pc psi si adya-si ser plain-ser"}}, {.skew = 6});
  expect_verdicts({{"", future, "all"}}, {.skew = 7});
  EXPECT_EQ(levels_that_hold(hist(future), {.skew = INT64_MAX}), levels_that_hold(hist(future), {.skew = 7}));
}

TEST(OracleRealTime, AnUnknownOutcomeHasNoLatestInstant) {
  expect_verdicts({
      {"it lands between the readers, long after its client gave up",
       "S1: <@0..1> w(x,1)?  S2: <@5..6> r(x,0)  S3: <@10..11> r(x,1)", "all"},
      {"had it been committed, S2 would be old",
       "S1: <@0..1> w(x,1)  S2: <@5..6> r(x,0)  S3: <@10..11> r(x,1)",
       "rc ra cc pc psi si adya-si gsi session-si ser plain-ser"},
      {"it has no earlier commit than its begin", "S1: <@8..> w(x,1)?  S2: <@0..1> r(x,1)",
       "rc ra cc pc psi si adya-si ser plain-ser"},
      {"nor than its commit request", "S1: <@0,1..8,> w(x,1)?  S2: <@0..1> r(x,1)",
       "rc ra cc pc psi si adya-si ser plain-ser strict-ser"},
      {"its snapshot too may be late when its first answer never came",
       "S1: <@0..1> r(x,1) w(y,1)?  S2: <@10..11> w(x,1)  S3: <@20..21> r(y,1)", "all"},
      {"its first answer came before S2 began",
       "S1: <@0,1..> r(x,1) w(y,1)?  S2: <@10..11> w(x,1)  S3: <@20..21> r(y,1)",
       "rc ra cc pc psi si adya-si ser plain-ser strict-ser"},
      {"one without instants is free", "S1: w(x,1)?  S2: <@5..6> r(x,1) | <@7..8> r(x,1)", "all"},
  });
}

TEST(OracleRealTime, StrongSessionsAndTimeTogether) {
  expect_verdicts({
      {"write skew is not a matter of time", "S1: <@0..9> r(x,0) w(y,1)  S2: <@0..9> r(y,0) w(x,1)",
       "rc ra cc pc psi si adya-si gsi session-si strong-si"},
      {"in sequence it is an old snapshot", "S1: <@0..1> r(x,0) w(y,1)  S2: <@5..6> r(y,0) w(x,1)",
       "rc ra cc pc psi si adya-si gsi session-si"},
      {"a lost update stays lost", "S1: <@0..1> r(x,0) w(x,1)  S2: <@5..6> r(x,0) w(x,2)", "rc ra cc pc"},
      {"one session after another in the right order",
       "S1: <@0..1> w(x,1) | <@2..3> r(x,1)  S2: <@5..6> r(x,1)", "all"},
  });
}

TEST(OracleRealTime, InstantsAreNeededOfCommittedTransactionsOnly) {
  EXPECT_FALSE(oracle::has_needed_instants(hist("S1: w(x,1)")));
  EXPECT_FALSE(oracle::has_needed_instants(hist("S1: <@0..1> w(x,1)  S2: <@0..> w(x,1)")));
  EXPECT_TRUE(oracle::has_needed_instants(hist("S1: <@0..1> w(x,1)  S2: <@0..> w(x,1)?  S3: w(x,2)!")));
}

}  // namespace
}  // namespace assay::test
