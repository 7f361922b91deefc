// Each kind of line, used rightly, and with each of its conditions broken.
#include <gtest/gtest.h>

#include "certify/certifying.h"
#include "support/hist.h"

namespace assay::test {
namespace {

// Two counters, each reader missing the other's write.
const char* const kWriteSkew = "S1: r(x,0) w(y,1)  S2: r(y,0) w(x,1)";

TEST(Proof, OfACircleOfReads) {
  const History h = hist("S1: w(x,1) r(y,2)  S2: w(y,2) r(x,1)");
  EXPECT_THAT(complaint(h, "rc violated", "1 reads 1.2 / 2 reads 2.2 / 3 refute 1 2"), accepted());
}

TEST(Proof, OfAWriteSkew) {
  const History h = hist(kWriteSkew);
  const char* const proof = "1 overwritten 1.1 2 / 2 overwritten 2.1 1 / 3 refute 1 2";
  EXPECT_THAT(complaint(h, "ser violated", proof), accepted());
  EXPECT_THAT(complaint(h, "plain-ser violated", proof), accepted());
  EXPECT_THAT(complaint(h, "si violated", proof), refused("line 3 (refute): line 2 begins at s2, not at c2"));
}

TEST(Proof, EndsInAContradiction) {
  const History h = hist(kWriteSkew);
  EXPECT_THAT(complaint(h, "ser violated", ""), refused("does not end in a contradiction"));
  EXPECT_THAT(complaint(h, "ser violated", "1 overwritten 1.1 2"),
              refused("does not end in a contradiction"));
  EXPECT_THAT(complaint(h, "ser violated", "1 suppose 1 2 / 2 overwritten 2.1 1 / 3 refute 1 2"),
              refused("does not end in a contradiction"));
  EXPECT_THAT(complaint(h, "ser violated",
                        "1 overwritten 1.1 2 / 2 overwritten 2.1 1 / 3 refute 1 2 / 4 overwritten 1.1 2"),
              refused("line 4 (overwritten): the proof has ended before it"));
}

TEST(Proof, NumbersItsLinesUpwards) {
  const History h = hist(kWriteSkew);
  EXPECT_THAT(complaint(h, "ser violated", "4 overwritten 1.1 2 / 4 overwritten 2.1 1 / 5 refute 4 4"),
              refused("line 4 (overwritten): the numbers of lines must increase"));
  EXPECT_THAT(complaint(h, "ser violated", "2 overwritten 1.1 2 / 9 overwritten 2.1 1 / 70 refute 2 9"),
              accepted());
  EXPECT_THAT(complaint(h, "ser violated", "1 refute 2 3 / 2 overwritten 1.1 2 / 3 overwritten 2.1 1"),
              refused("line 1 (refute): there is no open line 2 before it"));
}

TEST(Proof, RefutesOnlyByACycle) {
  const History h = hist(kWriteSkew);
  EXPECT_THAT(complaint(h, "ser violated", "1 overwritten 1.1 2 / 2 refute 1"), refused("which is no cycle"));
  EXPECT_THAT(complaint(h, "ser violated", "1 refute"), refused("names no edges"));
  EXPECT_THAT(complaint(h, "ser violated", "1 path"), refused("names no edges"));
}

// session

TEST(ProofSession, GoesForwardsInOneSession) {
  const History h = hist("S1: w(x,1) | r(x,0)  S2: w(y,1)");
  EXPECT_THAT(complaint(h, "ra violated", "1 session 1 2 / 2 stale 2.1 1 1"), accepted());
  EXPECT_THAT(complaint(h, "si violated", "1 session 1 2 / 2 stale 2.1 1 1"), accepted());
  EXPECT_THAT(complaint(h, "ra violated", "1 session 2 1"), refused("does not precede"));
  EXPECT_THAT(complaint(h, "ra violated", "1 session 1 1"), refused("does not precede"));
  EXPECT_THAT(complaint(h, "ra violated", "1 session 1 3"), refused("does not precede"));
}

TEST(ProofSession, NeedsALevelWithSessions) {
  const History h = hist("S1: w(x,1) | r(x,0)");
  EXPECT_THAT(complaint(h, "adya-si violated", "1 session 1 2"), refused("adya-si has no session order"));
  EXPECT_THAT(complaint(h, "plain-ser violated", "1 session 1 2"), refused("plain-ser has no session order"));
}

TEST(ProofSession, DoesNotKnowWhenAnUnknownTransactionCommits) {
  const History h = hist("S1: w(x,1)? | r(x,0)  S2: r(x,1)");
  EXPECT_THAT(complaint(h, "ra violated", "1 session 1 2 / 2 stale 2.1 1 1"),
              refused("line 1 (session): the outcome of transaction 1 is unknown"));
  // But that it comes after its predecessors is known.
  const History later = hist("S1: r(y,2) | w(x,1)?  S2: r(x,1) w(y,2)");
  EXPECT_THAT(complaint(later, "ra violated", "1 session 1 2 / 2 reads 1.1 / 3 reads 3.1 / 4 refute 1 3 2"),
              accepted());
}

TEST(ProofSession, NamesOnlyTransactionsThatCount) {
  EXPECT_THAT(complaint(hist("S1: w(x,1)! | r(x,0)"), "ra violated", "1 session 1 2 / 2 stale 2.1 1 1"),
              refused("transaction 1 does not count"));
  EXPECT_THAT(complaint(hist("S1: w(x,1) | r(x,0)?"), "ra violated", "1 session 1 2 / 2 stale 2.1 1 1"),
              refused("transaction 2 does not count"));
  // Counts, because a transaction that counts can only have read from it.
  const History h = hist("S1: w(x,1) | r(x,0) w(y,1)?  S2: r(y,1)");
  EXPECT_THAT(complaint(h, "ra violated", "1 session 1 2 / 2 stale 2.1 1 1"), accepted());
}

// reads

TEST(ProofReads, NeedsAnExternalReadWithOneWriter) {
  const History h = hist("S1: w(x,1) r(x,1) r(y,0) | w(z,5)  S2: r(x,1) w(z,5) | r(z,5)");
  EXPECT_THAT(complaint(h, "rc violated", "1 reads 3.1"), refused("does not end"));
  EXPECT_THAT(complaint(h, "rc violated", "1 reads 1.1"), refused("1.1 is no external read"));
  EXPECT_THAT(complaint(h, "rc violated", "1 reads 1.2"), refused("1.2 is no external read"));
  EXPECT_THAT(complaint(h, "rc violated", "1 reads 1.3"), refused("1.3 reads the initial version"));
  EXPECT_THAT(complaint(h, "rc violated", "1 reads 4.1"),
              refused("more than one possible writer, and no line says which"));
  EXPECT_THAT(complaint(hist("S1: r(x,7)"), "rc violated", "1 reads 1.1"), refused("no possible writer"));
}

TEST(ProofReads, AsksWhetherTheReaderCounts) {
  const History h = hist("S1: r(x,1)?  S2: w(x,1)");
  EXPECT_THAT(complaint(h, "rc violated", "1 reads 1.1"), refused("transaction 1 does not count"));
}

TEST(ProofReads, LeavesOutWritersThatCannotHaveCommitted) {
  // 1 is aborted, 2 read what nobody wrote: only 3 can have written x.
  const History h = hist("S1: w(x,1)!  S2: r(y,9) w(x,1)?  S3: w(x,1) r(z,4)  S4: r(x,1) w(z,4)");
  EXPECT_THAT(complaint(h, "rc violated", "1 reads 4.1 / 2 reads 3.2 / 3 refute 1 2"), accepted());
  // At ra, two reads that differ are as wrong as that.
  const History twice = hist("S1: w(y,9)  S2: r(y,0) r(y,9) w(x,1)?  S3: w(x,1) r(z,4)  S4: r(x,1) w(z,4)");
  EXPECT_THAT(complaint(twice, "ra violated", "1 reads 4.1 / 2 reads 3.2 / 3 refute 1 2"), accepted());
  EXPECT_THAT(complaint(twice, "rc violated", "1 reads 4.1"), refused("more than one"));
}

TEST(ProofReads, DoesNotCountTheReaderItself) {
  const History h = hist("S1: r(x,1) w(x,1) w(y,1)  S2: r(y,1) w(x,1)");
  EXPECT_THAT(complaint(h, "rc violated", "1 reads 1.1 / 2 reads 2.1 / 3 refute 1 2"), accepted());
}

// own

TEST(ProofOwn, NeedsTwoPoints) {
  const History h = hist("S1: r(x,0) w(x,1)  S2: r(x,0) w(x,2)");
  const char* const lost_update =
      "1 overwritten 1.1 2 / 2 exclusive 1.2 2 1 / 3 overwritten 2.1 1 / 4 own 1 / 5 refute 2 3";
  EXPECT_THAT(complaint(h, "si violated", lost_update), accepted());
  EXPECT_THAT(complaint(h, "adya-si violated", lost_update), accepted());
  EXPECT_THAT(complaint(h, "ser violated", lost_update),
              refused("line 2 (exclusive): ser does not have this rule"));
  EXPECT_THAT(complaint(h, "ser violated", "1 own 1"), refused("ser has no snapshots"));
  EXPECT_THAT(complaint(h, "psi violated", "1 own 1"), refused("psi has no snapshots"));
  EXPECT_THAT(complaint(hist("S1: w(x,1)!"), "si violated", "1 own 1"), refused("does not count"));
}

// path

TEST(ProofPath, GoesOnWhereItWas) {
  const History h = hist("S1: w(x,1)  S2: r(x,1) w(y,1)  S3: r(y,1) r(x,0)");
  EXPECT_THAT(complaint(h, "cc violated", "1 reads 2.1 / 2 reads 3.1 / 3 path 1 2 / 4 stale 3.2 1 3"),
              accepted());
  EXPECT_THAT(complaint(h, "cc violated", "1 reads 2.1 / 2 reads 3.1 / 3 path 2 1"),
              refused("line 3 (path): line 1 begins at c1, not at c3"));
  EXPECT_THAT(complaint(h, "cc violated", "1 reads 2.1 / 2 reads 3.1 / 3 path 1 / 4 stale 3.2 1 3"),
              refused("line 3 is c1 < c2, it needs c1 < c3"));
  // Between a snapshot and a commit something must be said.
  const char* const leap = "1 reads 2.1 / 2 reads 3.1 / 3 path 1 2";
  EXPECT_THAT(complaint(h, "pc violated", leap), refused("line 2 begins at c2, not at s2"));
  EXPECT_THAT(
      complaint(h, "pc violated", "1 reads 2.1 / 2 reads 3.1 / 3 own 2 / 4 path 1 3 2 / 5 stale 3.2 1 4"),
      accepted());
}

// missed, stale: what each level sees

TEST(ProofMissed, AtRcNeedsAnEarlierReadOfTheSameTransaction) {
  // 3 reads y from 2 and then x from 1; 4 sees it the other way round.
  const char* const both = "S1: w(x,1) w(y,1)  S2: w(x,2) w(y,2)  S3: r(y,2) r(x,1)  S4: r(y,1) r(x,2)";
  const char* const proof = "1 reads 3.1 / 2 missed 3.2 2 1 / 3 reads 4.1 / 4 missed 4.2 1 3 / 5 refute 2 4";
  EXPECT_THAT(complaint(hist(both), "rc violated", proof), accepted());
  EXPECT_THAT(complaint(hist("S1: w(x,1) w(y,1)  S2: w(x,2) w(y,2)  S3: r(x,1) r(y,2)"), "rc violated",
                        "1 reads 3.2 / 2 missed 3.1 2 1"),
              refused("at rc line 1 must be an earlier read"));
  EXPECT_THAT(
      complaint(hist("S1: w(x,1)  S2: w(x,2) | r(x,1)"), "rc violated", "1 session 2 3 / 2 missed 3.1 2 1"),
      refused("at rc line 1 must be an earlier read"));
}

TEST(ProofMissed, AtRaNeedsAReadOrASessionLine) {
  const History fractured = hist("S1: w(x,1) w(y,1)  S2: w(x,2) w(y,2)  S3: r(x,1) r(y,2)");
  EXPECT_THAT(complaint(fractured, "ra violated",
                        "1 reads 3.2 / 2 missed 3.1 2 1 / 3 reads 3.1 / 4 missed 3.2 1 3 / 5 refute 2 4"),
              accepted());
  const History causal = hist("S1: w(x,1)  S2: r(x,1) w(y,1)  S3: r(y,1) r(x,0)");
  EXPECT_THAT(complaint(causal, "ra violated", "1 reads 2.1 / 2 reads 3.1 / 3 path 1 2 / 4 stale 3.2 1 3"),
              refused("at ra line 3 must be a reads or a session line"));
}

TEST(ProofMissed, AtCcNeedsAPathOfReadsAndSessions) {
  // 2 is before 3 in the commit order only because 5 says so.
  const History h = hist("S1: w(x,2) w(z,2)  S2: w(x,3) w(z,3) w(y,3)  S3: r(y,3) r(x,2)");
  EXPECT_THAT(complaint(h, "cc violated",
                        "1 reads 3.2 / 2 reads 3.1 / 3 missed 3.2 2 2 / 4 path 3 1 / 5 missed 3.2 2 4"),
              refused("at cc line 4 must be made of reads and session lines"));
  const History sessions = hist("S1: w(x,1) | w(y,1)  S2: r(y,1) r(x,0)");
  EXPECT_THAT(complaint(sessions, "cc violated",
                        "1 session 1 2 / 2 reads 3.1 / 3 path 1 2 / 4 path 3 / 5 stale 3.2 1 4"),
              accepted());
}

TEST(ProofMissed, AtPsiTakesAnyEdge) {
  const History h = hist("S1: w(x,2) w(z,2)  S2: w(x,3) w(z,3) w(y,3)  S3: r(y,3) r(x,2)");
  EXPECT_THAT(complaint(h, "psi violated",
                        "1 reads 3.2 / 2 reads 3.1 / 3 missed 3.2 2 2 / 4 path 3 1 / 5 missed 3.2 2 4"),
              refused("does not end"));
}

TEST(ProofMissed, NeedsAnotherWriterOfTheKey) {
  const History h = hist("S1: w(x,1)  S2: w(y,2)  S3: r(y,2) r(x,1) w(x,3)  S4: r(z,0) w(x,4)");
  const std::string given = "1 reads 3.1 / 2 reads 3.2 / ";
  EXPECT_THAT(complaint(h, "psi violated", given + "3 missed 3.2 1 2"),
              refused("is the one that 3.2 reads from"));
  EXPECT_THAT(complaint(h, "psi violated", given + "3 missed 3.2 3 2"),
              refused("transaction 3 is the reader itself"));
  EXPECT_THAT(complaint(h, "psi violated", given + "3 missed 3.2 2 1"),
              refused("does not write the key of 3.2"));
  EXPECT_THAT(complaint(h, "psi violated", given + "3 missed 3.2 4 1"), refused("it needs c4 < c3"));
  EXPECT_THAT(complaint(h, "psi violated", given + "3 missed 3.2 4"), refused("exactly one edge"));
  EXPECT_THAT(complaint(h, "psi violated", given + "3 missed 3.2 4 1 1"), refused("exactly one edge"));
  EXPECT_THAT(complaint(h, "psi violated", given + "3 missed 4.1 1 2"),
              refused("does not write the key of 4.1"));
}

TEST(ProofMissed, IsNotAboutTheInitialVersion) {
  const History h = hist("S1: w(x,1) | r(x,0)  S2: w(y,1)  S3: r(y,1)");
  EXPECT_THAT(complaint(h, "ra violated", "1 session 1 2 / 2 missed 2.1 1 1"),
              refused("reads the initial version"));
  EXPECT_THAT(complaint(h, "ra violated", "1 reads 4.1 / 2 stale 4.1 1 1"),
              refused("does not write the key"));
  const History other = hist("S1: w(x,1) | r(x,2)  S2: w(x,2)");
  EXPECT_THAT(complaint(other, "ra violated", "1 session 1 2 / 2 stale 2.1 1 1"),
              refused("2.1 does not read the initial version"));
}

TEST(ProofMissed, IgnoresTransactionsThatNeverCount) {
  const History h = hist("S1: w(x,1)  S2: w(x,2)!  S3: r(x,1)");
  EXPECT_THAT(complaint(h, "ser violated", "1 reads 3.1 / 2 missed 3.1 2 1"),
              refused("transaction 2 does not count"));
}

TEST(ProofStale, NeedsTheEdge) {
  const History h = hist("S1: w(x,1) | r(y,0)  S2: r(x,0)  S3: r(x,0) w(x,3)");
  EXPECT_THAT(complaint(h, "ra violated", "1 session 1 2 / 2 stale 3.1 1 1"), refused("it needs c1 < c3"));
  EXPECT_THAT(complaint(h, "ra violated", "1 stale 3.1 1"), refused("exactly one edge"));
  EXPECT_THAT(complaint(h, "ra violated", "1 stale 4.1 4 1"), refused("the reader itself"));
}

// overwritten

TEST(ProofOverwritten, NeedsThatTheOtherIsNewer) {
  const History h = hist("S1: w(x,1) | w(x,2) r(y,1)  S2: r(x,1) | w(y,1)");
  // 2 follows 1, so 3 misses it; 2 reads y from 4, which follows 3.
  EXPECT_THAT(complaint(h, "ser violated", "1 session 1 2 / 2 overwritten 3.1 2 1"), refused("does not end"));
  EXPECT_THAT(complaint(h, "ser violated", "1 overwritten 3.1 2"), refused("exactly one edge"));
  EXPECT_THAT(complaint(h, "ser violated", "1 session 3 4 / 2 overwritten 3.1 2 1"),
              refused("it needs c1 < c2"));
  EXPECT_THAT(complaint(h, "ser violated", "1 session 1 2 / 2 overwritten 3.1 1 1"), refused("reads from"));
  EXPECT_THAT(complaint(h, "ser violated", "1 session 1 2 / 2 overwritten 3.1 4 1"),
              refused("does not write the key"));
  EXPECT_THAT(complaint(h, "psi violated", "1 session 1 2 / 2 overwritten 3.1 2 1"),
              refused("psi does not have this rule"));
  EXPECT_THAT(complaint(h, "cc violated", "1 session 1 2 / 2 overwritten 3.1 2 1"),
              refused("cc does not have this rule"));
  EXPECT_THAT(complaint(hist(kWriteSkew), "ser violated", "1 overwritten 1.1 2 / 2 overwritten 1.1 2 1"),
              refused("the initial version needs no edge"));
  EXPECT_THAT(complaint(hist("S1: r(x,0) w(x,1)"), "ser violated", "1 overwritten 1.1 1 / 2 refute 1"),
              refused("the reader itself"));
}

TEST(ProofOverwritten, ReachesTheSnapshotOnly) {
  const History h = hist("S1: r(x,0)  S2: w(x,1)");
  EXPECT_THAT(complaint(h, "si violated", "1 overwritten 1.1 2 / 2 path 1 / 3 own 1 / 4 path 3 1"),
              refused("line 1 begins at s1, not at c1"));
}

// exclusive

TEST(ProofExclusive, NeedsACommonKeyAndOverlap) {
  const History h = hist("S1: r(x,0) w(x,1) w(y,1)  S2: r(x,0) w(x,2)  S3: w(z,1)");
  const std::string given = "1 overwritten 1.1 2 / 2 overwritten 2.1 1 / ";
  EXPECT_THAT(complaint(h, "si violated", given + "3 exclusive 1.2 2 1 / 4 refute 3 2"), accepted());
  EXPECT_THAT(complaint(h, "pc violated", given + "3 exclusive 1.2 2 1"),
              refused("pc does not have this rule"));
  EXPECT_THAT(complaint(h, "si violated", given + "3 exclusive 1.1 2 1"), refused("1.1 is no write"));
  EXPECT_THAT(complaint(h, "si violated", given + "3 exclusive 1.3 2 1"),
              refused("no write of a key that transaction 2"));
  EXPECT_THAT(complaint(h, "si violated", given + "3 exclusive 1.2 2 2"), refused("it needs s1 < c2"));
  EXPECT_THAT(complaint(h, "si violated", given + "3 exclusive 1.2 2"), refused("exactly one edge"));
  EXPECT_THAT(complaint(h, "si violated", "1 own 1 / 2 exclusive 1.2 1 1"), refused("two transactions"));
  EXPECT_THAT(complaint(hist("S1: w(x,1)  S2: w(x,2)!"), "si violated", "1 own 1 / 2 exclusive 1.1 2 1"),
              refused("transaction 2 does not count"));
}

// suppose, unit, falsified

// A long fork: no order of the two writers suits both readers.
const char* const kLongFork = "S1: w(x,1)  S2: w(y,1)  S3: r(x,1) r(y,0)  S4: r(y,1) r(x,0)";
// Blind writes; 3 sees them in one order and 4 in the other, by different keys.
const char* const kTwoWays = "S1: w(x,1) w(y,1)  S2: w(x,2) w(y,2)  S3: r(x,1) r(y,2)";

TEST(ProofSuppose, LeavesTheOppositeBehind) {
  const History h = hist(kTwoWays);
  EXPECT_THAT(complaint(h, "ser violated",
                        "1 reads 3.1 / 2 reads 3.2 / 3 suppose 1 2 / 4 overwritten 3.1 2 3 / 5 refute 4 2 / "
                        "6 overwritten 3.2 1 5 / 7 refute 6 1"),
              accepted());
  // The last refutation without the first supposition.
  EXPECT_THAT(complaint(h, "ser violated",
                        "1 reads 3.1 / 2 reads 3.2 / 3 suppose 2 1 / 4 overwritten 3.2 1 3 / 5 refute 4 1"),
              refused("does not end in a contradiction"));
}

TEST(ProofSuppose, IsForgottenWhenItsScopeIsClosed) {
  const History h = hist(kTwoWays);
  const std::string given =
      "1 reads 3.1 / 2 reads 3.2 / 3 suppose 1 2 / 4 overwritten 3.1 2 3 / 5 refute 4 2 / ";
  EXPECT_THAT(complaint(h, "ser violated", given + "6 path 3"), refused("there is no open line 3"));
  EXPECT_THAT(complaint(h, "ser violated", given + "6 path 4"), refused("there is no open line 4"));
  EXPECT_THAT(complaint(h, "ser violated", given + "6 path 5 / 7 path 1"), refused("does not end"));
}

TEST(ProofSuppose, NeedsTwoTransactionsThatMayCount) {
  const History h = hist("S1: w(x,1)  S2: w(x,2)?  S3: w(x,3)!");
  EXPECT_THAT(complaint(h, "ser violated", "1 suppose 1 1 / 2 refute 1"), refused("two points"));
  EXPECT_THAT(complaint(h, "ser violated", "1 suppose 1 2"), refused("does not end in a contradiction"));
  EXPECT_THAT(complaint(h, "ser violated", "1 suppose 3 1"), refused("transaction 3 does not count"));
}

TEST(ProofSuppose, NeedsAnOrderOfTheTwo) {
  const History h = hist(kLongFork);
  EXPECT_THAT(complaint(h, "psi violated", "1 suppose 1 2"),
              refused("transaction 1 and transaction 2 write no common key"));
  for (const char* level : {"rc", "ra", "cc"})
    EXPECT_THAT(complaint(h, std::string(level) + " violated", "1 reads 3.1 / 2 suppose 3 1 / 3 refute 1 2"),
                refused("does not end"));
  EXPECT_THAT(
      complaint(h, "pc violated",
                "1 reads 3.1 / 2 reads 4.1 / 3 overwritten 3.2 2 / 4 overwritten 4.2 1 / 5 refute 1 3 2 4"),
      accepted());
}

TEST(ProofSuppose, ProvesALostUpdateAtPsi) {
  const History h = hist("S1: r(x,0) w(x,1)  S2: r(x,0) w(x,2)");
  EXPECT_THAT(complaint(h, "psi violated", "1 suppose 1 2 / 2 stale 2.1 1 1 / 3 stale 1.1 2 2"), accepted());
  EXPECT_THAT(complaint(h, "cc violated", "1 suppose 1 2 / 2 stale 2.1 1 1 / 3 stale 1.1 2 2"),
              refused("at cc line 1 must be made of reads and session lines"));
}

TEST(ProofClause, IsUsedWhenOneLiteralIsLeft) {
  // Two supposed orders that cannot both be: 1 before 2 and 3 before 4.
  const History h =
      hist("S1: w(x,1) r(z,4)  S2: w(x,2)  S3: w(y,3) r(u,2)  S4: w(y,4) w(z,4)  S5: w(u,2) r(x,2)");
  // 4 < 1 (z); 2 < 5 < 3 (x, u): 1 < 2 and 3 < 4 make a circle.
  const std::string clause =
      "1 reads 1.2 / 2 reads 5.2 / 3 reads 3.2 / 4 suppose 1 2 / 5 suppose 3 4 / 6 refute 1 4 2 3 5 / ";
  EXPECT_THAT(complaint(h, "ser violated", clause + "7 suppose 1 2 / 8 unit 6 / 9 path 8"),
              refused("does not end"));
  EXPECT_THAT(complaint(h, "ser violated", clause + "7 path 6"), refused("line 6 is no edge"));
  EXPECT_THAT(complaint(h, "ser violated", clause + "7 unit 6"),
              refused("2 literals of clause 6 are not refuted"));
  EXPECT_THAT(complaint(h, "ser violated", clause + "7 suppose 2 1 / 8 unit 6"),
              refused("2 literals of clause 6"));
  EXPECT_THAT(complaint(h, "ser violated", clause + "7 suppose 1 2 / 8 suppose 3 4 / 9 unit 6"),
              refused("0 literals of clause 6"));
  EXPECT_THAT(complaint(h, "ser violated", clause + "7 suppose 1 2 / 8 falsified 6"),
              refused("not every literal"));
  EXPECT_THAT(complaint(h, "ser violated", clause + "7 unit 1"), refused("line 1 is no clause"));
  EXPECT_THAT(complaint(h, "ser violated", clause + "7 falsified 3"), refused("line 3 is no clause"));
  EXPECT_THAT(complaint(h, "ser violated", clause + "7 unit 5"), refused("there is no open line 5"));
  // Falsified, it closes the scope like any contradiction.
  EXPECT_THAT(
      complaint(h, "ser violated", clause + "7 suppose 1 2 / 8 suppose 3 4 / 9 falsified 6 / 10 unit 9"),
      refused("2 literals of clause 9"));
  EXPECT_THAT(complaint(h, "ser violated", clause + "7 suppose 1 2 / 8 suppose 3 4 / 9 falsified 6"),
              refused("does not end"));
  // The scope that refuted a literal is closed.
  EXPECT_THAT(complaint(h, "ser violated", clause + "7 suppose 1 2 / 8 unit 6 / 9 path 4"),
              refused("no open line 4"));
}

TEST(ProofClause, EndsAProof) {
  // Four blind writers that must be one way round in pairs, and in no pair can be.
  const History h = hist(kTwoWays);
  const char* const proof =
      "1 reads 3.1 / 2 reads 3.2 / 3 suppose 1 2 / 4 overwritten 3.1 2 3 / 5 refute 4 2 / "
      "6 suppose 2 1 / 7 overwritten 3.2 1 6 / 8 refute 7 1 / 9 falsified 5";
  EXPECT_THAT(complaint(h, "ser violated", proof), accepted());
  EXPECT_THAT(
      complaint(
          h, "ser violated",
          "1 reads 3.1 / 2 reads 3.2 / 3 suppose 1 2 / 4 overwritten 3.1 2 3 / 5 refute 4 2 / 9 falsified 5"),
      refused("not every literal"));
}

TEST(ProofClause, KnowsTheLiteralsOfTheOuterScope) {
  const History h = hist("S1: w(x,1) | w(x,2)");
  EXPECT_THAT(
      complaint(h, "ser violated", "1 session 1 2 / 2 suppose 2 1 / 3 suppose 1 2 / 4 refute 1 2 / 5 unit 4"),
      refused("does not end"));
}

// wrong

TEST(ProofWrong, IsAReadThatNothingExplains) {
  EXPECT_THAT(complaint(hist("S1: r(x,7)"), "rc violated", "1 wrong 1.1"), accepted());
  EXPECT_THAT(complaint(hist("S1: w(x,7)!  S2: r(x,7)"), "plain-ser violated", "1 wrong 2.1"), accepted());
  EXPECT_THAT(complaint(hist("S1: w(x,7) w(x,8)  S2: r(x,7)"), "adya-si violated", "1 wrong 2.1"),
              accepted());
  EXPECT_THAT(complaint(hist("S1: r(x,7) w(x,7)"), "rc violated", "1 wrong 1.1"), accepted());
  EXPECT_THAT(complaint(hist("S1: w(x,7) r(x,0)"), "rc violated", "1 wrong 1.2"), accepted());
  EXPECT_THAT(complaint(hist("S1: w(x,7) w(x,8) r(x,7)"), "rc violated", "1 wrong 1.3"), accepted());
  EXPECT_THAT(complaint(hist("S1: r(q,5) w(x,7)?  S2: r(x,7)"), "rc violated", "1 wrong 2.1"), accepted());
}

TEST(ProofWrong, IsNotAReadThatSomethingExplains) {
  EXPECT_THAT(complaint(hist("S1: w(x,7)!  S2: r(x,7)  S3: w(x,7)"), "rc violated", "1 wrong 2.1"),
              refused("may be right"));
  EXPECT_THAT(complaint(hist("S1: r(x,0)"), "rc violated", "1 wrong 1.1"), refused("may be right"));
  EXPECT_THAT(complaint(hist("S1: w(x,7) r(x,7)"), "rc violated", "1 wrong 1.2"), refused("may be right"));
  EXPECT_THAT(complaint(hist("S1: w(x,7)"), "rc violated", "1 wrong 1.1"), refused("may be right"));
  EXPECT_THAT(complaint(hist("S1: r(x,7)?"), "rc violated", "1 wrong 1.1"), refused("does not count"));
  EXPECT_THAT(complaint(hist("S1: r(x,7)!"), "rc violated", "1 wrong 1.1"), refused("does not count"));
}

TEST(ProofWrong, FromRaUpIncludesReadsThatDiffer) {
  const History h = hist("S1: r(x,0) r(x,1)  S2: w(x,1)");
  EXPECT_THAT(complaint(h, "ra violated", "1 wrong 1.2"), accepted());
  EXPECT_THAT(complaint(h, "adya-si violated", "1 wrong 1.2"), accepted());
  EXPECT_THAT(complaint(h, "rc violated", "1 wrong 1.2"), refused("may be right"));
  EXPECT_THAT(complaint(h, "ra violated", "1 wrong 1.1"), refused("may be right"));
}

// lists

TEST(ProofObserved, OrdersWhatAListShows) {
  const History h = hist("S1: append(l,1)  S2: append(l,2)  S3: r(l,[1 2])  S4: r(l,[2])  S5: append(l,5)");
  EXPECT_THAT(complaint(h, "rc violated", "1 observed 3.1 1 2 / 2 observed 4.1 2 1 / 3 refute 1 2"),
              accepted());
  EXPECT_THAT(complaint(h, "si violated", "1 observed 3.1 1 2 / 2 observed 4.1 2 1 / 3 refute 1 2"),
              accepted());
  EXPECT_THAT(complaint(h, "rc violated", "1 observed 3.1 2 1"),
              refused("does not show transaction 2 before transaction 1"));
  EXPECT_THAT(complaint(h, "rc violated", "1 observed 4.1 1 2"),
              refused("no element that only transaction 1 appended"));
  EXPECT_THAT(complaint(h, "rc violated", "1 observed 3.1 1 5 / 2 observed 4.1 1 5"),
              refused("line 2 (observed)"));
  EXPECT_THAT(complaint(h, "rc violated", "1 observed 3.1 1 1"), refused("two transactions"));
  EXPECT_THAT(complaint(h, "rc violated", "1 observed 1.1 1 2"), refused("no list read"));
  EXPECT_THAT(complaint(h, "rc violated", "1 observed 3.1 1 3"),
              refused("does not show transaction 1 before transaction 3"));
}

// An edge that ends in a transaction which need not count leads nowhere unless a line says that it does.
TEST(ProofObserved, MayEndInATransactionThatNeedNotCount) {
  const History h = hist("S1: append(l,1)  S2: append(l,2)?  S3: r(l,[1])");
  EXPECT_THAT(complaint(h, "rc violated", "1 observed 3.1 1 2"), refused("does not end in a contradiction"));
  EXPECT_THAT(complaint(h, "rc violated", "1 observed 3.1 2 1"), refused("transaction 2 does not count"));
  const History decided =
      hist("S1: r(x,3) append(y,102)  S2: append(y,103) w(x,3)? | append(y,104) r(y,[102 104]) w(x,3)");
  EXPECT_THAT(complaint(decided, "rc violated",
                        "1 candidates 1.1 / 2 observed 3.2 1 2 / 3 from 1.1 2 / 4 refute 2 3 / 5 unit 1 / 6 "
                        "reads 3.2 / 7 refute 5 6"),
              accepted());
  // Shown in the middle of a list, it counts.
  const History shown = hist("S1: append(l,1) r(y,1)?  S2: append(l,2) w(y,1)  S3: r(l,[1 2])");
  EXPECT_THAT(complaint(shown, "rc violated", "1 observed 3.1 1 2 / 2 reads 1.2 / 3 refute 1 2"), accepted());
}

TEST(ProofObserved, DoesNotGuessWhoAppendedARepeatedElement) {
  const History h = hist("S1: append(l,1)  S2: append(l,1)  S3: append(l,3)  S4: r(l,[1 3])");
  EXPECT_THAT(complaint(h, "rc violated", "1 observed 4.1 1 3"), refused("only transaction 1 appended"));
}

TEST(ProofObserved, ShowsOwnAppendsBehindWhatWasThere) {
  const History h = hist("S1: append(l,1) r(l,[1])  S2: append(l,2) r(l,[2])");
  EXPECT_THAT(complaint(h, "rc violated", "1 observed 1.2 1 2 / 2 observed 2.2 2 1 / 3 refute 1 2"),
              accepted());
}

TEST(ProofWrong, IncludesListsThatAreNotMadeOfWholeTransactions) {
  const auto wrong = [](const char* text) { return complaint(hist(text), "rc violated", "1 wrong 1.1"); };
  EXPECT_THAT(wrong("S1: r(l,[9])  S2: append(l,1)"), accepted());
  EXPECT_THAT(wrong("S1: r(l,[9 1])  S2: append(l,1)"), accepted());
  EXPECT_THAT(wrong("S1: r(l,[1])  S2: append(l,1) append(l,2)"), accepted());
  EXPECT_THAT(wrong("S1: r(l,[1 3])  S2: append(l,1) append(l,2)  S3: append(l,3)"), accepted());
  EXPECT_THAT(wrong("S1: r(l,[2 1 3])  S2: append(l,1) append(l,2)  S3: append(l,3)"), accepted());
  EXPECT_THAT(wrong("S1: r(l,[1 3 2])  S2: append(l,1) append(l,2)  S3: append(l,3)"), accepted());
  EXPECT_THAT(wrong("S1: r(l,[1 1])  S2: append(l,1)"), accepted());
  EXPECT_THAT(wrong("S1: r(l,[1]) append(l,1)"), accepted());
  EXPECT_THAT(wrong("S1: r(l,[4 1]) append(l,4)  S2: append(l,1)"), accepted());
  EXPECT_THAT(wrong("S1: r(l,[1 2 3])  S2: append(l,1) append(l,2)  S3: append(l,3)"),
              refused("may be right"));
  EXPECT_THAT(wrong("S1: r(l,[1 1])  S2: append(l,1)  S3: append(l,1)"), refused("may be right"));
  EXPECT_THAT(wrong("S1: r(l,[])  S2: append(l,1)"), refused("may be right"));
  EXPECT_THAT(complaint(hist("S1: append(l,1) r(l,[])"), "rc violated", "1 wrong 1.2"), accepted());
  EXPECT_THAT(
      complaint(hist("S1: append(l,1) r(l,[2 1]) r(l,[1])  S2: append(l,2)"), "ra violated", "1 wrong 1.3"),
      accepted());
}

TEST(Proof, CoversAllThatAnUpdateMayHaveDone) {
  const History history = hist("S1: update-maybe(value = 0,[x=1]) | r(x,0)");
  const std::string took = "took 1.1 1 / 1 session 1 2 / 2 overwritten 2.1 1 / 3 refute 1 2";
  const std::string left = "left 1.1 1 / read 1.1 1 / 1 wrong 1.1";
  EXPECT_THAT(complaint(history, "ser violated", took + " / case / " + left), accepted());
  EXPECT_THAT(complaint(history, "ser violated", left + " / case / " + took), accepted());
  EXPECT_THAT(complaint(history, "ser violated", took), refused("the cases do not cover"));
  EXPECT_THAT(complaint(history, "ser violated", took + " / case / " + took),
              refused("the cases do not cover"));
  EXPECT_THAT(complaint(history, "ser violated", "1 session 1 2 / 2 overwritten 2.1 1 / 3 refute 1 2"),
              refused("overwritten"));
  const History counted = hist("S1: update-maybe(value = 0,[x=1],1) | r(x,0)");
  EXPECT_THAT(complaint(counted, "ser violated", "1 session 1 2 / 2 overwritten 2.1 1 / 3 refute 1 2"),
              accepted());  // it cannot have been left
  EXPECT_THAT(complaint(counted, "ser violated", took), refused("a row of which that is known"));
}

// All that it can have met matches, so it took place.
TEST(Proof, SpeaksOfRowsThatWereChangedIfTheyMatched) {
  const History history = hist("S1: update-maybe(value = 0,[x=1]) | r(x,0)");
  const std::string rows = "row 1.1 1 / 1 session 1 2 / ";
  EXPECT_THAT(
      complaint(history, "ser violated",
                rows + "2 unmatched 1.1 / 3 took 1.1 / 4 overwritten 2.1 1 / 5 refute 1 4 / 6 falsified 2"),
      accepted());
  EXPECT_THAT(
      complaint(history, "ser violated", rows + "2 unmatched 1.1 / 3 overwritten 2.1 1 / 4 refute 1 3"),
      accepted());
  EXPECT_THAT(complaint(history, "ser violated", rows + "3 overwritten 2.1 1 / 4 refute 1 3"),
              refused("1 does not write the key of 2.1"));
  EXPECT_THAT(complaint(history, "ser violated", rows + "2 matched 1.1 / 3 overwritten 2.1 1 / 4 refute 1 3"),
              refused("1 does not write the key of 2.1"));
  EXPECT_THAT(
      complaint(history, "ser violated", rows + "2 unmatched 2.1 / 3 overwritten 2.1 1 / 4 refute 1 3"),
      refused("no conditional write"));
  EXPECT_THAT(complaint(history, "ser violated", rows + "2 took 1.1 / 3 overwritten 2.1 1 / 4 refute 1 3"),
              refused("does not end in a contradiction"));
  EXPECT_THAT(complaint(history, "ser violated", "row 1.1 1 / took 1.1 1 / 1 session 1 2"),
              refused("whether it was changed"));
  EXPECT_THAT(complaint(history, "psi violated", rows + "2 unmatched 1.1"),
              refused("row lines are for proofs"));
  EXPECT_THAT(complaint(history, "ser holds", "row 1.1 1 / order c1 c2"),
              refused("row lines are for proofs"));
}

TEST(Proof, DecidesWhatARowDidByWhatItMet) {
  const History history = hist("S1: w(x,1) | update-maybe(value = 1,[x=2]) | r(x,1)");
  const std::string met =
      "row 2.1 1 / 1 session 1 2 / 2 session 2 3 / 3 candidates 2.1 / 4 from 2.1 initial / 5 stale 2.1 1 1 4 "
      "/ ";
  EXPECT_THAT(complaint(history, "ser violated",
                        met + "6 unmatched 2.1 / 7 unit 6 / 8 missed 3.1 2 2 / 9 refute 1 8"),
              accepted());
  EXPECT_THAT(
      complaint(history, "ser violated", met + "6 matched 2.1 / 7 unit 6 / 8 missed 3.1 2 2 / 9 refute 1 8"),
      refused("literals of clause 6"));
  EXPECT_THAT(complaint(history, "ser violated",
                        "row 2.1 1 / 1 session 1 2 / 2 session 2 3 / 6 unmatched 2.1 / 7 unit 6"),
              refused("literals of clause 6"));
}

TEST(Proof, SaysThatWhatWasReadWasWritten) {
  const History history = hist("S1: update-maybe(value = 0,[x=1])  S2: one-of(x,[1 5])");
  EXPECT_THAT(complaint(history, "ser violated",
                        "row 1.1 1 / 1 left 1.1 / 2 reads 2.1 / 3 implies 2.1 1 / 4 falsified 3"),
              refused("does not end"));
  EXPECT_THAT(
      complaint(history, "ser violated", "row 1.1 1 / 1 matched 1.1 / 2 implies 2.1 1 / 3 implies 2.1 2"),
      refused("is no possible writer"));
}

TEST(Proof, CountsTheRowsOfAStatement) {
  const History history = hist("S1: update-maybe(value = 0,[x=1 y=1 z=1],1)");
  const std::string rows = "row 1.1 1 / row 1.1 2 / row 1.1 3 / 1 unmatched 1.1 / 2 unmatched 1.2 / ";
  EXPECT_THAT(complaint(history, "ser violated", rows + "3 too-many 1.1 1 2"), accepted());
  EXPECT_THAT(complaint(history, "ser violated", rows + "3 too-few 1.1 1 2"),
              refused("no more than 2 are known to have been left"));
  EXPECT_THAT(complaint(history, "ser violated",
                        "row 1.1 1 / row 1.1 2 / row 1.1 3 / 1 unmatched 1.1 / 2 too-many 1.1 1"),
              refused("no more than 1 are known to have been changed"));
  EXPECT_THAT(complaint(history, "ser violated",
                        "row 1.1 1 / row 1.1 2 / 1 unmatched 1.1 / 2 unmatched 1.2 / 3 too-many 1.1 1 2"),
              refused("does not say how many"));
}

// What a transaction does to a key it ranges over later, or has written before, is not told by one read.
TEST(Proof, RefusesRowsThatAreNotByThemselves) {
  for (const char* text :
       {"S1: update-maybe(value = 0,[x=1]) r(x,1)", "S1: w(x,0) update-maybe(value = 0,[x=1])",
        "S1: update-maybe(value = 0,[x=1]) scan(x,x,[x=1])",
        "S1: update-maybe(value = 0,[x=1]) update-maybe(value = 1,[x=2])",
        "S1: update-maybe(value = 0,[x=1])? | w(y,1)"})
    EXPECT_THAT(complaint(hist(text), "ser violated",
                          std::string_view(text).find("w(x,0)") == std::string_view::npos ? "row 1.1 1"
                                                                                          : "row 1.2 1"),
                refused("by itself in its transaction"))
        << text;
  EXPECT_THAT(
      complaint(hist("S1: r(x,0) update-maybe(value = 0,[x=1])"), "ser violated", "row 1.2 1 / 1 wrong 1.1"),
      refused("may be right"));
}

TEST(Proof, MayDoWithoutKnowingWhatAnUpdateDid) {
  const History history = hist("S1: update-maybe(value = 0,[x=1])  S2: r(x,5)  S3: one-of(x,[1 5])");
  EXPECT_THAT(complaint(history, "ser violated", "1 wrong 2.1"), accepted());
  EXPECT_THAT(complaint(history, "ser violated", "1 wrong 3.1"),
              refused("does not fit"));  // this may have read the update's row
}

TEST(Proof, RefusesWhatItHasNoRulesFor) {
  EXPECT_THAT(complaint(hist("S1: r(x,7)"), "strict-ser skew 0 violated", "1 wrong 1.1"),
              refused("S1:1 does not say when it began"));
}

}  // namespace
}  // namespace assay::test
