// Values that several transactions wrote, and transactions that need not have taken effect: each kind of
// line, used rightly, and with each of its conditions broken.
#include <gtest/gtest.h>

#include "certify/certifying.h"
#include "support/hist.h"

namespace assay::test {
namespace {

// An open proof: every line was accepted.
testing::Matcher<std::string> unfinished() { return refused("does not end in a contradiction"); }

// Orders: whom a read is from.

TEST(OrderFrom, SaysWhoWroteARepeatedValue) {
  const History h = hist("S1: w(x,1) w(y,1)  S2: w(x,1) w(y,2)  S3: r(x,1) r(y,1)");
  for (const char* level : {"ra", "cc", "psi"}) {
    const std::string claim = std::string(level) + " holds";
    EXPECT_THAT(complaint(h, claim, "order c2 c1 c3 / from 3.1 1"), accepted());
    EXPECT_THAT(complaint(h, claim, "order c2 c1 c3"),
                refused("read 3.1 has several possible writers, and no from line"));
    EXPECT_THAT(complaint(h, claim, "order c1 c2 c3 / from 3.1 2"),
                refused("read 3.2 misses the version of transaction 2"));
  }
}

TEST(OrderFrom, IsAboutWhatWasReadBefore) {
  const History h = hist("S1: w(x,1) w(y,1)  S2: w(x,1) w(y,2)  S3: r(x,1) r(y,1)");
  EXPECT_THAT(complaint(h, "rc holds", "order c1 c2 c3 / from 3.1 1"), accepted());
  EXPECT_THAT(complaint(h, "rc holds", "order c1 c2 c3 / from 3.1 2"),
              refused("read 3.2 misses the version of transaction 2"));
}

TEST(OrderFrom, NamesAPossibleWriterBeforeTheReader) {
  const History h = hist("S1: w(x,1)  S2: w(x,1)  S3: r(x,1)  S4: w(x,2)  S5: w(x,1)?  S6: w(x,1) w(x,3)");
  const std::string order = "order c1 c3 c2 c4 c6 / ";
  EXPECT_THAT(complaint(h, "cc holds", order + "from 3.1 1"), accepted());
  EXPECT_THAT(complaint(h, "cc holds", order + "from 3.1 2"),
              refused("read 3.1 is before transaction 2, whose write"));
  for (const char* other : {"4", "5", "6", "3"})
    EXPECT_THAT(complaint(h, "cc holds", order + "from 3.1 " + other),
                refused("no possible writer of 3.1 in the order"))
        << other;
  EXPECT_THAT(complaint(h, "cc holds", order + "from 3.1 initial"),
              refused("the initial transaction is no possible writer"));
  EXPECT_THAT(complaint(h, "cc holds", order + "from 3.1 1 / from 3.1 1"),
              refused("two from lines are about read 3.1"));
  EXPECT_THAT(complaint(h, "cc holds", order + "from 1.1 1"), refused("1.1 is no external read"));
}

TEST(OrderFrom, MayNameTheInitialTransaction) {
  const History h = hist("S1: w(x,0) w(y,1)  S2: r(x,0) r(y,0)");
  EXPECT_THAT(complaint(h, "ra holds", "order c1 c2 / from 2.1 initial"), accepted());
  EXPECT_THAT(complaint(h, "ra holds", "order c1 c2 / from 2.1 1"), refused("read 2.2 misses"));
}

TEST(OrderFrom, IsForReadsInTheOrder) {
  const History h = hist("S1: w(x,1)  S2: w(x,1)  S3: r(x,1)?  S4: append(l,1)  S5: r(l,[1])");
  EXPECT_THAT(complaint(h, "cc holds", "order c1 c2 c4 c5"), accepted());
  EXPECT_THAT(complaint(h, "cc holds", "order c1 c2 c4 c5 / from 3.1 1"),
              refused("3.1 is no external read of a register"));
  EXPECT_THAT(complaint(h, "cc holds", "order c1 c2 c4 c5 / from 5.1 4"),
              refused("5.1 is no external read of a register"));
}

TEST(OrderFrom, IsSaidOnceForReadsThatRepeat) {
  const History h = hist("S1: w(x,1)  S2: w(x,1)  S3: r(x,1) r(x,1)");
  EXPECT_THAT(complaint(h, "ra holds", "order c1 c2 c3 / from 3.1 1"), accepted());
  EXPECT_THAT(complaint(h, "ra holds", "order c1 c2 c3 / from 3.1 1 / from 3.2 2"),
              refused("3.2 is from where 3.1 is"));
  EXPECT_THAT(complaint(h, "ra holds", "order c1 c2 c3 / from 3.2 2"), refused("3.2 is from where 3.1 is"));
  // At rc each stands for itself, and does not go back.
  EXPECT_THAT(complaint(h, "rc holds", "order c1 c2 c3 / from 3.1 1 / from 3.2 2"), accepted());
  EXPECT_THAT(complaint(h, "rc holds", "order c1 c2 c3 / from 3.1 2 / from 3.2 1"),
              refused("read 3.2 misses"));
  EXPECT_THAT(complaint(h, "rc holds", "order c1 c2 c3 / from 3.1 1"), refused("read 3.2 has several"));
}

TEST(OrderFrom, IsNotNeededWhereTheOrderIsReplayed) {
  const History h = hist("S1: w(x,1)  S2: w(x,1)  S3: r(x,1)");
  EXPECT_THAT(complaint(h, "ser holds", "order c1 c2 c3 / from 3.1 2"), refused("ser has no from lines"));
}

TEST(OrderFrom, DoesNotHideALostUpdateOfTheSameValue) {
  const History h = hist("S1: r(x,0) w(x,1)  S2: r(x,0) w(x,1)");
  EXPECT_THAT(complaint(h, "psi holds", "order c1 c2"), refused("read 2.1 misses"));
  EXPECT_THAT(complaint(h, "si holds", "order s1 s2 c1 c2"), refused("transaction 2 writes key x"));
  EXPECT_THAT(complaint(h, "psi violated", "1 suppose 1 2 / 2 stale 2.1 1 1 / 3 stale 1.1 2 2"), accepted());
}

// Proofs: from, not-from, candidates.

// 3 reads x from 1 or 2, and both follow it.
const char* const kNoWriterLeft = "S1: w(x,1) r(z,3)  S2: w(x,1) r(z,3)  S3: r(x,1) w(z,3)";

TEST(ProofFrom, RefutesEachPossibleWriter) {
  const std::string lines =
      "1 reads 1.2 / 2 reads 2.2 / 3 from 3.1 1 / 4 refute 1 3 / 5 from 3.1 2 / 6 refute 2 5 / ";
  for (const char* level : {"rc", "ra", "cc", "psi", "ser", "plain-ser"})
    EXPECT_THAT(complaint(hist(kNoWriterLeft), std::string(level) + " violated",
                          lines + "7 candidates 3.1 / 8 falsified 7"),
                accepted());
  const History h = hist(kNoWriterLeft);
  EXPECT_THAT(
      complaint(h, "si violated",
                "1 reads 1.2 / 2 reads 2.2 / 3 own 1 / 4 own 3 / 5 from 3.1 1 / 6 refute 1 3 5 4 / 7 own 2 / "
                "8 from 3.1 2 / 9 refute 2 7 8 4 / 10 candidates 3.1 / 11 falsified 10"),
      accepted());
  // One that was not refuted may be it.
  EXPECT_THAT(complaint(h, "ser violated",
                        "1 reads 1.2 / 3 from 3.1 1 / 4 refute 1 3 / 7 candidates 3.1 / 8 falsified 7"),
              refused("not every literal of clause 7"));
  // What was left behind is no edge.
  EXPECT_THAT(complaint(h, "ser violated", lines + "7 path 6"), refused("line 6 is no edge"));
  EXPECT_THAT(complaint(h, "ser violated", lines + "7 path 5"), refused("there is no open line 5"));
}

TEST(ProofFrom, IsWhatIsLeftOfTheCandidates) {
  const History h = hist(kNoWriterLeft);
  EXPECT_THAT(complaint(h, "ser violated",
                        "1 reads 1.2 / 2 reads 2.2 / 3 from 3.1 1 / 4 refute 1 3 / 5 candidates 3.1 / 6 unit "
                        "5 / 7 refute 2 6"),
              accepted());
  EXPECT_THAT(complaint(h, "ser violated", "1 candidates 3.1 / 2 unit 1"), refused("2 literals of clause 1"));
  // A read is from one of them only.
  EXPECT_THAT(complaint(h, "ser violated", "1 candidates 3.1 / 2 from 3.1 1 / 3 unit 1"), unfinished());
  EXPECT_THAT(complaint(h, "ser violated",
                        "1 candidates 3.1 / 2 from 3.1 1 / 3 from 3.1 2 / 4 falsified 1 / 5 path 4"),
              refused("line 5 (path): line 4 is no edge"));
  // To refute that it is not from 2 is to show that it is: an edge.
  EXPECT_THAT(complaint(h, "ser violated",
                        "1 candidates 3.1 / 2 not-from 3.1 2 / 3 unit 1 / 4 reads 1.2 / 5 refute 4 3 / 6 "
                        "reads 2.2 / 7 refute 6 5"),
              accepted());
}

TEST(ProofFrom, NamesAPossibleWriterOfAnExternalRead) {
  const History h = hist(
      "S1: w(x,1) w(x,2)  S2: w(x,1)  S3: r(x,1) w(x,1) r(x,1)  S4: w(x,1)  S5: w(x,1)!  S6: r(q,9) w(x,1)?");
  EXPECT_THAT(
      complaint(h, "ser violated", "1 from 3.1 2 / 2 from 3.1 4 / 3 not-from 3.1 2 / 4 candidates 3.1"),
      unfinished());
  for (const char* kind : {"from", "not-from"}) {
    const std::string line = std::string("1 ") + kind;
    EXPECT_THAT(complaint(h, "ser violated", line + " 3.1 1"),
                refused("transaction 1 is no possible writer of 3.1"));
    EXPECT_THAT(complaint(h, "ser violated", line + " 3.1 3"),
                refused("transaction 3 is no possible writer of 3.1"));
    EXPECT_THAT(complaint(h, "ser violated", line + " 3.1 initial"),
                refused("the initial transaction is no possible writer"));
    EXPECT_THAT(complaint(h, "ser violated", line + " 3.1 5"), refused("transaction 5 does not count"));
    EXPECT_THAT(complaint(h, "ser violated", line + " 3.1 6"), refused("transaction 6 does not count"));
    EXPECT_THAT(complaint(h, "ser violated", line + " 3.3 2"), refused("3.3 is no external read"));
    EXPECT_THAT(complaint(h, "ser violated", line + " 2.1 2"), refused("2.1 is no external read"));
    EXPECT_THAT(complaint(h, "ser violated", line + " 6.1 2"), refused("transaction 6 does not count"));
  }
  EXPECT_THAT(complaint(h, "ser violated", "1 candidates 3.2"), refused("3.2 is no external read"));
  EXPECT_THAT(complaint(h, "ser violated", "1 candidates 6.1"), refused("transaction 6 does not count"));
  EXPECT_THAT(complaint(hist("S1: r(x,9)"), "ser violated", "1 candidates 1.1"),
              refused("no possible writer"));
}

TEST(ProofFrom, OfTheInitialTransactionIsNoEdge) {
  const History h = hist("S1: w(x,0)  S2: r(x,0)");
  EXPECT_THAT(complaint(h, "ser violated", "1 from 2.1 initial / 2 path 1"), refused("line 1 is no edge"));
  EXPECT_THAT(complaint(h, "ser violated", "1 not-from 2.1 1 / 2 path 1"), refused("line 1 is no edge"));
  EXPECT_THAT(complaint(h, "ser violated", "1 from 2.1 1 / 2 path 1"), unfinished());
}

TEST(ProofFrom, IsReadsToTheWeakLevels) {
  // Whomever x is from, 3 sees only half of it.
  const History h = hist("S1: w(x,1) w(y,1)  S2: w(x,1) w(y,2)  S3: r(x,1) r(y,0)");
  const char* const proof = "1 from 3.1 1 / 2 stale 3.2 1 1 / 3 candidates 3.1 / 4 unit 3 / 5 stale 3.2 2 4";
  for (const char* level : {"rc", "ra", "cc", "psi", "pc", "si", "ser", "plain-ser", "adya-si"})
    EXPECT_THAT(complaint(h, std::string(level) + " violated", proof), accepted()) << level;
  const History turned = hist("S1: w(x,1) w(y,1)  S2: w(x,1) w(y,2)  S3: r(y,0) r(x,1)");
  EXPECT_THAT(complaint(turned, "rc violated", "1 from 3.2 1 / 2 stale 3.1 1 1"),
              refused("must be an earlier read"));
  EXPECT_THAT(complaint(turned, "ra violated", "1 from 3.2 1 / 2 stale 3.1 1 1"), unfinished());
  // A supposed order is none.
  EXPECT_THAT(complaint(h, "ra violated", "1 suppose 1 3 / 2 stale 3.2 1 1"),
              refused("must be a reads or a session line"));
  EXPECT_THAT(complaint(h, "rc violated", "1 suppose 1 3 / 2 stale 3.2 1 1"),
              refused("must be an earlier read"));
  EXPECT_THAT(complaint(h, "cc violated", "1 suppose 1 3 / 2 stale 3.2 1 1"),
              refused("must be made of reads"));
}

// Lines about a read that has several possible writers.

TEST(ProofSource, IsTheLastWord) {
  const History h = hist("S1: w(x,1)  S2: w(x,1)  S3: w(x,2) w(y,1)  S4: r(y,1) r(x,1)");
  const std::string given = "1 reads 4.1 / 2 from 4.2 1 / ";
  EXPECT_THAT(complaint(h, "ser violated", given + "3 missed 4.2 3 1 2 / 4 refute 3"),
              refused("from c3 to c1, which is no cycle"));
  EXPECT_THAT(complaint(h, "ser violated", given + "3 missed 4.2 3 1"),
              refused("more than one possible writer, and no line says"));
  EXPECT_THAT(complaint(h, "ser violated", given + "3 missed 4.2 3 2 1"),
              refused("more than one possible writer, and no line says"));
  EXPECT_THAT(complaint(h, "ser violated", given + "3 missed 4.2 3 2"), refused("exactly one edge"));
  EXPECT_THAT(complaint(h, "ser violated", given + "3 missed 4.2 1 1 2"),
              refused("is the one that 4.2 reads from"));
  EXPECT_THAT(complaint(h, "ser violated", given + "3 missed 4.2 3 1 1 2"), refused("exactly one edge"));
  EXPECT_THAT(complaint(h, "ser violated", "1 reads 4.1 / 2 not-from 4.2 1 / 3 missed 4.2 3 1 2"),
              refused("no line says which"));
  // It may be what is left of the candidates.
  EXPECT_THAT(
      complaint(
          h, "ser violated",
          "1 reads 4.1 / 2 candidates 4.2 / 3 not-from 4.2 1 / 4 unit 2 / 5 missed 4.2 3 1 4 / 6 path 5"),
      unfinished());
}

TEST(ProofSource, OfOverwrittenNeedsAnEdgeUnlessItIsInitial) {
  const History h = hist("S1: w(x,0)  S2: r(x,0)  S3: w(x,2)");
  EXPECT_THAT(
      complaint(h, "ser violated", "1 from 2.1 initial / 2 overwritten 2.1 3 1 / 3 overwritten 2.1 1 1"),
      unfinished());
  EXPECT_THAT(complaint(h, "ser violated", "1 overwritten 2.1 3"), refused("no line says which"));
  EXPECT_THAT(complaint(h, "ser violated", "1 from 2.1 1 / 2 overwritten 2.1 3 1"),
              refused("exactly one edge"));
  EXPECT_THAT(complaint(h, "ser violated", "1 suppose 1 3 / 2 from 2.1 1 / 3 overwritten 2.1 3 1 2"),
              unfinished());
  EXPECT_THAT(complaint(h, "ser violated", "1 suppose 1 3 / 2 from 2.1 initial / 3 overwritten 2.1 3 1 2"),
              refused("the initial version needs no edge"));
  EXPECT_THAT(complaint(h, "ser violated", "1 suppose 1 2 / 2 from 2.1 initial / 3 stale 2.1 1 1 2"),
              unfinished());
  EXPECT_THAT(complaint(h, "ser violated", "1 suppose 3 2 / 2 from 2.1 1 / 3 stale 2.1 3 1 2"),
              refused("does not read the initial version"));
  EXPECT_THAT(complaint(h, "ser violated", "1 suppose 3 2 / 2 from 2.1 initial / 3 missed 2.1 3 1 2"),
              refused("that is stale"));
}

// Clauses of several kinds of literals.

TEST(ProofClauseOfSources, TakesEveryKindOfLiteral) {
  const History h = hist(kNoWriterLeft);
  const std::string clause =
      "1 reads 1.2 / 2 suppose 1 2 / 3 from 3.1 1 / 4 refute 1 3 / ";  // 2 < 1, or not from 1
  EXPECT_THAT(complaint(h, "ser violated", clause + "5 unit 4"), refused("2 literals of clause 4"));
  EXPECT_THAT(complaint(h, "ser violated", clause + "5 from 3.1 1 / 6 unit 4 / 7 path 6"), unfinished());
  EXPECT_THAT(complaint(h, "ser violated", clause + "5 from 3.1 2 / 6 unit 4"),
              refused("2 literals of clause 4"));
  EXPECT_THAT(complaint(h, "ser violated", clause + "5 suppose 1 2 / 6 unit 4 / 7 path 6"),
              refused("line 6 is no edge"));
  EXPECT_THAT(
      complaint(h, "ser violated", clause + "5 suppose 1 2 / 6 from 3.1 1 / 7 falsified 4 / 8 unit 7"),
      refused("2 literals of clause 7"));
}

TEST(ProofSuppose, TakesAnyPointsOfATotalOrder) {
  const History h = hist("S1: r(x,0) w(y,1)  S2: w(x,1) r(y,0)");
  EXPECT_THAT(
      complaint(h, "si violated", "1 suppose s1 c2 / 2 suppose c1 s2 / 3 suppose s1 s2 / 4 suppose c1 s1"),
      unfinished());
  EXPECT_THAT(complaint(h, "si violated", "1 suppose c1 s2 / 2 overwritten 2.2 1 / 3 refute 1 2 / 4 path 3"),
              unfinished());
  EXPECT_THAT(complaint(h, "si violated", "1 suppose s1 s1"), refused("two points"));
  for (const char* level : {"rc", "cc", "psi", "ser"})
    EXPECT_THAT(complaint(h, std::string(level) + " violated", "1 suppose s1 c2"),
                refused("has no snapshots"))
        << level;
  EXPECT_THAT(complaint(h, "ser violated", "1 suppose c1 2"), unfinished());
  // The contrary of an order of snapshots refutes it.
  EXPECT_THAT(complaint(h, "si violated",
                        "1 suppose s1 s2 / 2 suppose s2 s1 / 3 refute 1 2 / 4 suppose s1 s2 / 5 unit 3"),
              unfinished());
}

TEST(ProofSuppose, AtRcIsAboutTheCommitOrder) {
  const History h = hist("S1: w(x,1) w(y,1)  S2: w(x,2) w(y,2)  S3: r(y,2) r(x,1)  S4: r(y,1) r(x,2)");
  EXPECT_THAT(
      complaint(
          h, "rc violated",
          "1 reads 3.1 / 2 missed 3.2 2 1 / 3 suppose 1 2 / 4 refute 2 3 / 5 reads 4.1 / 6 missed 4.2 1 5 / "
          "7 refute 4 6"),
      accepted());
}

// Transactions that need not have taken effect.

// 1 may have written what 2 read, or 3 did.
const char* const kMaybe = "S1: w(x,1) r(y,0)?  S2: r(x,1) w(y,5)  S3: w(x,1)  S4: w(y,4)";

TEST(ProofCounts, LetsLinesNameTheTransaction) {
  const History h = hist(kMaybe);
  for (const char* line : {"overwritten 1.2 4", "session 1 2"})
    EXPECT_THAT(complaint(h, "ser violated", std::string("1 ") + line),
                refused("transaction 1 does not count"))
        << line;
  EXPECT_THAT(complaint(h, "ser violated", "1 counts 1 / 2 overwritten 1.2 4"), unfinished());
  EXPECT_THAT(complaint(h, "ser violated", "1 absent 1 / 2 overwritten 1.2 4"), refused("does not count"));
  // From it means that it counts.
  EXPECT_THAT(complaint(h, "ser violated", "1 from 2.1 1 / 2 overwritten 1.2 4"), unfinished());
  EXPECT_THAT(complaint(h, "ser violated", "1 not-from 2.1 1 / 2 overwritten 1.2 4"),
              refused("does not count"));
  // Where it is need not be known: if it is absent, it is thought of as the last.
  for (const char* line : {"suppose 1 3", "suppose 3 1"})
    EXPECT_THAT(complaint(h, "ser violated", std::string("1 ") + line), unfinished()) << line;
  EXPECT_THAT(complaint(h, "si violated", "1 own 1"), unfinished());
  // Only as long as that is open.
  EXPECT_THAT(complaint(h, "ser violated",
                        "1 counts 1 / 2 suppose 1 3 / 3 suppose 3 1 / 4 refute 2 3 / 5 overwritten 1.2 4"),
              refused("line 5 (overwritten): transaction 1 does not count"));
  EXPECT_THAT(
      complaint(h, "ser violated", "1 counts 1 / 2 suppose 1 3 / 3 suppose 3 1 / 4 refute 2 3 / 5 unit 4"),
      refused("3 literals of clause 4"));
}

TEST(ProofCounts, HoldsAfterAbsenceWasRefuted) {
  // Both writers of x but 1 follow the reader, so 1 took effect; and it read y from 3, which follows 2.
  const History h = hist("S1: w(x,1) r(y,3)?  S2: r(x,1) w(z,2)  S3: r(z,2) w(y,3) w(x,1)");
  const std::string given =
      "1 reads 3.1 / 2 absent 1 / 3 implies 2.1 1 / 4 unit 3 / 5 candidates 2.1 / 6 unit 5 / 7 refute 1 6 / ";
  EXPECT_THAT(complaint(h, "ser violated", given + "8 reads 1.2"), unfinished());
  EXPECT_THAT(complaint(h, "ser violated",
                        given + "8 reads 1.2 / 9 from 2.1 3 / 10 refute 1 9 / 11 candidates 2.1 / 12 unit 11 "
                                "/ 13 refute 1 8 12"),
              accepted());
  EXPECT_THAT(complaint(h, "ser violated", "1 reads 1.2"), refused("transaction 1 does not count"));
}

TEST(ProofCounts, IsAboutAnUnknownOutcomeThatMayBe) {
  const History h = hist("S1: w(x,1)  S2: w(x,2)!  S3: w(x,3)?  S4: r(q,7)?  S5: r(x,5) | w(x,5)?");
  for (const char* kind : {"counts", "absent"}) {
    const std::string line = std::string("1 ") + kind;
    EXPECT_THAT(complaint(h, "ser violated", line + " 3"), unfinished());
    EXPECT_THAT(complaint(h, "ser violated", line + " 1"), refused("the outcome of transaction 1 is known"));
    EXPECT_THAT(complaint(h, "ser violated", line + " 2"), refused("transaction 2 does not count"));
    EXPECT_THAT(complaint(h, "ser violated", line + " 4"), refused("transaction 4 does not count"));
    // It counts by definition; that may be said.
    EXPECT_THAT(complaint(h, "ser violated", line + " 6"), unfinished());
  }
  EXPECT_THAT(complaint(h, "ser violated",
                        "1 session 5 6 / 2 counts 6 / 3 suppose 6 5 / 4 refute 1 3 / 5 unit 4 / 6 path 5"),
              unfinished());
}

TEST(ProofShows, NeedsAListAndTwoThatMayBeAbsent) {
  const History h = hist(
      "S1: append(y,1)?  S2: r(y,[1]) w(x,2)?  S3: append(y,3) w(x,2)?  S4: r(x,2)  S5: append(y,5) "
      "r(y,[5])");
  EXPECT_THAT(complaint(h, "ser violated", "1 shows 2.1 1"), unfinished());
  EXPECT_THAT(complaint(h, "ser violated", "1 shows 2.1 3"),
              refused("the list shows no element that only transaction 3 appended"));
  EXPECT_THAT(complaint(h, "ser violated", "1 shows 2.2 1"), refused("2.2 is no list read"));
  EXPECT_THAT(complaint(h, "ser violated", "1 shows 5.2 1"), refused("it needs two that may be absent"));
  EXPECT_THAT(complaint(h, "ser violated", "1 shows 2.1 5"), refused("it needs two that may be absent"));
  EXPECT_THAT(complaint(h, "ser violated", "1 shows 2.1 1 / 2 counts 2 / 3 unit 1 / 4 path 3"),
              refused("line 3 is no edge"));
  EXPECT_THAT(complaint(h, "ser violated", "1 shows 2.1 1 / 2 unit 1"), refused("2 literals of clause 1"));
}

TEST(ProofImplies, NeedsAWriterThatMayBeAbsent) {
  const History h = hist(kMaybe);
  EXPECT_THAT(complaint(h, "ser violated", "1 implies 2.1 1"), unfinished());
  EXPECT_THAT(complaint(h, "ser violated", "1 implies 2.1 3"), refused("a writer that may be absent"));
  EXPECT_THAT(complaint(h, "ser violated", "1 implies 2.1 4"),
              refused("transaction 4 is no possible writer"));
  EXPECT_THAT(complaint(h, "ser violated", "1 implies 2.1 1 / 2 absent 1 / 3 unit 1 / 4 path 3"),
              refused("line 3 is no edge"));
  EXPECT_THAT(
      complaint(h, "ser violated", "1 implies 2.1 1 / 2 absent 1 / 3 from 2.1 1 / 4 falsified 1 / 5 unit 4"),
      refused("2 literals of clause 4"));
}

TEST(ProofCandidates, OfAReaderThatMayBeAbsentSaysSo) {
  const History h = hist("S1: r(x,1) w(y,1)?  S2: w(x,1)  S3: w(x,1)  S4: r(y,1)  S5: w(y,1)");
  EXPECT_THAT(complaint(h, "ser violated",
                        "1 candidates 1.1 / 2 not-from 1.1 2 / 3 not-from 1.1 3 / 4 unit 1 / 5 path 4"),
              refused("line 4 is no edge"));
  EXPECT_THAT(complaint(h, "ser violated", "1 candidates 1.1 / 2 not-from 1.1 2 / 3 unit 1"),
              refused("2 literals of clause 1"));
  EXPECT_THAT(
      complaint(h, "ser violated", "1 candidates 1.1 / 2 not-from 1.1 2 / 3 counts 1 / 4 unit 1 / 5 path 4"),
      unfinished());
  // To be from somebody, it must have taken effect.
  EXPECT_THAT(complaint(h, "ser violated", "1 from 1.1 2 / 2 overwritten 1.1 3 1"),
              refused("exactly one edge"));
  EXPECT_THAT(complaint(h, "ser violated", "1 not-from 1.1 2 / 2 overwritten 1.1 3 1"),
              refused("transaction 1 does not count"));
  // With one possible writer it is a choice all the same.
  const History one = hist("S1: r(x,1) w(y,1)?  S2: w(x,1)  S4: r(y,1)  S5: w(y,1)");
  EXPECT_THAT(complaint(one, "ser violated", "1 candidates 1.1 / 2 path 1"), refused("line 1 is no edge"));
  EXPECT_THAT(
      complaint(one, "ser violated", "1 counts 1 / 2 candidates 1.1 / 3 unit 2 / 4 path 3 / 5 reads 1.1"),
      unfinished());
  EXPECT_THAT(complaint(hist("S1: w(x,1)  S2: r(x,1)"), "ser violated", "1 candidates 2.1 / 2 path 1"),
              unfinished());
}

TEST(ProofCounts, DoesNotMakeAnUnknownTransactionPrecedeItsSession) {
  const History h = hist("S1: w(x,1)? | r(x,0)  S2: r(x,1) w(x,3)  S3: w(x,1)");
  EXPECT_THAT(complaint(h, "ra violated", "1 counts 1 / 2 session 1 2"),
              refused("the outcome of transaction 1 is unknown"));
}

// Crowded: more updates than versions that they can have read.

TEST(ProofCrowded, NeedsMoreUpdatesThanVersions) {
  const History h = hist("S1: w(x,0)  S2: r(x,0) w(x,1)  S3: r(x,0) w(x,2)  S4: r(x,0) w(x,3)  S5: r(x,0)");
  const std::string clauses = "1 candidates 2.1 / 2 candidates 3.1 / 3 candidates 4.1 / 4 candidates 5.1 / ";
  for (const char* level : {"psi", "si", "adya-si", "ser", "plain-ser"}) {
    const std::string claim = std::string(level) + " violated";
    EXPECT_THAT(complaint(h, claim, clauses + "5 crowded 1 2 3"), accepted()) << level;
    EXPECT_THAT(complaint(h, claim, clauses + "5 crowded 1 2"),
                refused("2 transactions may have read from 2"));
    EXPECT_THAT(complaint(h, claim, clauses + "5 crowded 1 2 2"), refused("it names transaction 3 twice"));
    EXPECT_THAT(complaint(h, claim, clauses + "5 crowded 1 2 4"),
                refused("transaction 5 does not write the key that it reads"));
    EXPECT_THAT(complaint(h, claim, clauses + "5 crowded 1 2 9"), refused("9"));
    EXPECT_THAT(complaint(h, claim, clauses + "5 crowded"), refused(""));
    EXPECT_THAT(complaint(h, claim, clauses + "5 crowded"), testing::Not(accepted()));
  }
  for (const char* level : {"pc", "cc", "ra", "rc"})
    EXPECT_THAT(complaint(h, std::string(level) + " violated", clauses + "5 crowded 1 2 3"),
                refused("does not have this rule"));
}

TEST(ProofCrowded, IsAboutOneKeyAndTransactionsThatCount) {
  const History two = hist("S1: w(x,0) w(y,0)  S2: r(x,0) w(x,1)  S3: r(x,0) w(x,2)  S4: r(y,0) w(y,1)");
  EXPECT_THAT(complaint(two, "ser violated",
                        "1 candidates 2.1 / 2 candidates 3.1 / 3 candidates 4.1 / 4 crowded 1 2 3"),
              refused("not of one key"));
  const History maybe = hist("S1: w(x,0)  S2: r(x,0) w(x,1)  S3: r(x,0) w(x,2)  S4: r(x,0) w(x,3)?");
  EXPECT_THAT(complaint(maybe, "ser violated",
                        "1 candidates 2.1 / 2 candidates 3.1 / 3 candidates 4.1 / 4 crowded 1 2 3"),
              refused("does not say who wrote what a read returned"));
}

TEST(ProofCrowded, UsesWhatIsLeftOfAClause) {
  const History h =
      hist("S1: w(x,0) w(y,1)  S2: w(x,0)  S3: r(x,0) r(y,1) w(x,1)  S4: r(x,0) w(x,2) | r(y,0)");
  // Transactions 3 and 4 can each have read from three. Supposing what they are from leaves one.
  const std::string clauses = "1 candidates 3.1 / 2 candidates 4.1 / ";
  EXPECT_THAT(complaint(h, "ser violated", clauses + "3 crowded 1 2"),
              refused("2 transactions may have read from 3"));
  EXPECT_THAT(complaint(h, "ser violated", clauses + "3 from 3.1 2 / 4 from 4.1 2 / 5 crowded 1 2"),
              unfinished());
  EXPECT_THAT(complaint(h, "ser violated", clauses + "3 from 3.1 2 / 4 from 4.1 1 / 5 crowded 1 2"),
              refused("2 transactions may have read from 2"));
}

}  // namespace
}  // namespace assay::test
