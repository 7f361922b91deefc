// Orders that explain a history, and orders that nearly do.
#include <gtest/gtest.h>

#include "certify/certifying.h"
#include "support/hist.h"

namespace assay::test {
namespace {

TEST(Order, ContainsExactlyWhatTookEffect) {
  const History h = hist("S1: w(x,1)  S2: w(x,2)!  S3: w(x,3)?  S4: r(x,1)");
  EXPECT_THAT(complaint(h, "ser holds", "order c1 c4"), accepted());
  EXPECT_THAT(complaint(h, "ser holds", "order c3 c1 c4"), accepted());
  EXPECT_THAT(complaint(h, "ser holds", "order c3 / order c1 / order / order c4"), accepted());
  EXPECT_THAT(complaint(h, "ser holds", "order c4"), refused("transaction 1 is missing from the order"));
  EXPECT_THAT(complaint(h, "ser holds", ""), refused("transaction 1 is missing from the order"));
  EXPECT_THAT(complaint(h, "ser holds", "order c2 c1 c4"),
              refused("transaction 2 is in the order, but was aborted"));
  EXPECT_THAT(complaint(h, "ser holds", "order c1 c4 c1"), refused("c1 is in the order twice"));
  EXPECT_THAT(complaint(h, "ser holds", "order s1 c1 c4"), refused("ser has only commit points, s1 is none"));
}

TEST(Order, HasSnapshotsBeforeCommits) {
  const History h = hist("S1: w(x,1)  S2: r(x,0)");
  EXPECT_THAT(complaint(h, "si holds", "order s1 s2 c1 c2"), accepted());
  EXPECT_THAT(complaint(h, "si holds", "order c1 s1 s2 c2"), refused("c1 is not after s1"));
  EXPECT_THAT(complaint(h, "si holds", "order c1 s2 c2"), refused("c1 is not after s1"));
  EXPECT_THAT(complaint(h, "si holds", "order s1 s2 c2"), refused("s1 is in the order, but not c1"));
  EXPECT_THAT(complaint(h, "si holds", "order s1 s1 c1 s2 c2"), refused("s1 is in the order twice"));
}

TEST(Order, FollowsSessions) {
  const History h = hist("S1: w(x,1) | w(x,2)");
  for (const char* level : {"rc", "ra", "cc", "psi", "ser"})
    EXPECT_THAT(complaint(h, std::string(level) + " holds", "order c2 c1"),
                refused("transaction 2 is before transaction 1, which precedes it in its session"));
  EXPECT_THAT(complaint(h, "plain-ser holds", "order c2 c1"), accepted());
  EXPECT_THAT(complaint(h, "pc holds", "order s1 s2 c1 c2"),
              refused("transaction 2 is before transaction 1"));
  EXPECT_THAT(complaint(h, "pc holds", "order s1 c1 s2 c2"), accepted());
  EXPECT_THAT(complaint(h, "adya-si holds", "order s2 c2 s1 c1"), accepted());
}

TEST(Order, LetsAnUnknownTransactionCommitLate) {
  const History h = hist("S1: w(x,1)? | r(x,0) | w(y,1)?  S2: r(x,1) | r(y,1)");
  for (const char* level : {"rc", "ra", "cc", "psi", "ser"}) {
    EXPECT_THAT(complaint(h, std::string(level) + " holds", "order c2 c1 c4 c3 c5"), accepted());
    // It still follows its predecessors.
    EXPECT_THAT(complaint(h, std::string(level) + " holds", "order c3 c2 c1 c4 c5"),
                refused("transaction 3 is before"));
  }
}

TEST(OrderReplay, SeesTheLastCommit) {
  const History h = hist("S1: r(x,0) w(x,1)  S2: r(x,1) w(x,2)  S3: r(x,1)");
  EXPECT_THAT(complaint(h, "ser holds", "order c1 c3 c2"), accepted());
  EXPECT_THAT(complaint(h, "ser holds", "order c1 c2 c3"),
              refused("read 3.1 does not return what was committed last"));
  EXPECT_THAT(complaint(h, "ser holds", "order c3 c1 c2"), refused("read 3.1 does not return"));
  EXPECT_THAT(complaint(h, "pc holds", "order s1 c1 s3 s2 c2 c3"), accepted());
  EXPECT_THAT(complaint(h, "pc holds", "order s1 s3 c1 s2 c2 c3"), refused("read 3.1 does not return"));
}

TEST(OrderReplay, ComparesValuesThatWereWrittenTwice) {
  const History h = hist("S1: w(x,1)  S2: w(x,2)  S3: w(x,1)  S4: r(x,1)  S5: r(x,2)");
  EXPECT_THAT(complaint(h, "ser holds", "order c1 c2 c5 c3 c4"), accepted());
  EXPECT_THAT(complaint(h, "ser holds", "order c1 c4 c2 c5 c3"), accepted());
  EXPECT_THAT(complaint(h, "ser holds", "order c1 c2 c4 c5 c3"), refused("read 4.1"));
}

TEST(OrderReplay, LetsTheFirstCommitterWin) {
  const History h = hist("S1: w(x,1)  S2: w(x,2)");
  EXPECT_THAT(complaint(h, "pc holds", "order s1 s2 c1 c2"), accepted());
  EXPECT_THAT(complaint(h, "si holds", "order s1 c1 s2 c2"), accepted());
  for (const char* level : {"si", "adya-si"}) {
    EXPECT_THAT(complaint(h, std::string(level) + " holds", "order s1 s2 c1 c2"),
                refused("transaction 2 writes key x, which another one wrote since its snapshot"));
    EXPECT_THAT(complaint(h, std::string(level) + " holds", "order s1 s2 c2 c1"),
                refused("transaction 1 writes key x"));
  }
}

TEST(OrderReplay, ChecksReadsOfOwnWrites) {
  EXPECT_THAT(complaint(hist("S1: w(x,1) w(x,2) r(x,2)"), "ser holds", "order c1"), accepted());
  EXPECT_THAT(complaint(hist("S1: w(x,1) w(x,2) r(x,1)"), "ser holds", "order c1"),
              refused("read 1.3 does not return its"));
  EXPECT_THAT(complaint(hist("S1: w(x,1) r(x,0)"), "rc holds", "order c1"),
              refused("read 1.2 does not return its"));
  EXPECT_THAT(complaint(hist("S1: w(x,1) r(x,0)?"), "rc holds", ""), accepted());
}

TEST(OrderReplay, GrowsLists) {
  const History h = hist("S1: append(l,1) append(l,2)  S2: r(l,[1 2]) append(l,3) r(l,[1 2 3])  S3: r(l,[])");
  EXPECT_THAT(complaint(h, "ser holds", "order c3 c1 c2"), accepted());
  EXPECT_THAT(complaint(h, "ser holds", "order c1 c3 c2"), refused("read 3.1"));
  EXPECT_THAT(complaint(h, "rc holds", "order c1 c3 c2"), accepted());
  const History between = hist("S1: append(l,1)  S2: append(l,2) r(l,[2])");
  EXPECT_THAT(complaint(between, "pc holds", "order s1 s2 c1 c2"), refused("to which others were added"));
  EXPECT_THAT(complaint(between, "pc holds", "order s1 s2 c2 c1"), accepted());
}

// Levels without one store.

TEST(OrderRc, LooksAtWhatWasReadBefore) {
  const History h = hist("S1: w(x,1) w(y,1)  S2: w(x,2) w(y,2)  S3: r(y,2) r(x,1)");
  EXPECT_THAT(complaint(h, "rc holds", "order c2 c1 c3"), accepted());
  EXPECT_THAT(complaint(h, "rc holds", "order c1 c2 c3"),
              refused("read 3.2 misses the version of transaction 2"));
  const History turned = hist("S1: w(x,1) w(y,1)  S2: w(x,2) w(y,2)  S3: r(x,1) r(y,2)");
  EXPECT_THAT(complaint(turned, "rc holds", "order c1 c2 c3"), accepted());
  EXPECT_THAT(complaint(turned, "ra holds", "order c1 c2 c3"),
              refused("read 3.1 misses the version of transaction 2"));
  EXPECT_THAT(complaint(turned, "ra holds", "order c2 c1 c3"),
              refused("read 3.2 misses the version of transaction 1"));
}

TEST(OrderRc, AllowsReadsThatDiffer) {
  const History h = hist("S1: r(x,0) r(x,1)  S2: w(x,1)");
  EXPECT_THAT(complaint(h, "rc holds", "order c2 c1"), accepted());
  EXPECT_THAT(complaint(h, "ra holds", "order c2 c1"), refused("read 1.2 differs from an earlier one"));
  EXPECT_THAT(complaint(hist("S1: r(x,1) r(x,0)  S2: w(x,1)"), "rc holds", "order c2 c1"),
              refused("read 1.2 misses"));
}

TEST(OrderWeak, PutsWritersBeforeReaders) {
  const History h = hist("S1: w(x,1)  S2: r(x,1)");
  for (const char* level : {"rc", "ra", "cc", "psi"}) {
    EXPECT_THAT(complaint(h, std::string(level) + " holds", "order c1 c2"), accepted());
    EXPECT_THAT(complaint(h, std::string(level) + " holds", "order c2 c1"),
                refused("read 2.1 is before transaction 1"));
  }
  EXPECT_THAT(complaint(hist("S1: w(x,1)?  S2: r(x,1)"), "rc holds", "order c2"),
              refused("nobody in the order wrote last"));
}

TEST(OrderWeak, RefusesToGuessWhoWroteARepeatedValue) {
  const History h = hist("S1: w(x,1)  S2: w(x,1)  S3: r(x,1)");
  EXPECT_THAT(complaint(h, "ser holds", "order c1 c2 c3"), accepted());
  for (const char* level : {"rc", "ra", "cc", "psi"})
    EXPECT_THAT(complaint(h, std::string(level) + " holds", "order c1 c2 c3"),
                refused("read 3.1 has several possible writers"));
  // One that is left out is no writer.
  EXPECT_THAT(complaint(hist("S1: w(x,1)  S2: w(x,1)?  S3: r(x,1)"), "cc holds", "order c1 c3"), accepted());
}

TEST(OrderRa, LooksAtTheSession) {
  const History h = hist("S1: w(x,1)  S2: w(x,2) | r(x,1)");
  EXPECT_THAT(complaint(h, "ra holds", "order c2 c1 c3"), accepted());
  EXPECT_THAT(complaint(h, "ra holds", "order c1 c2 c3"),
              refused("read 3.1 misses the version of transaction 2"));
  EXPECT_THAT(complaint(h, "rc holds", "order c1 c2 c3"), accepted());
  // Not only at the neighbour.
  EXPECT_THAT(complaint(hist("S1: w(x,1) | w(y,1) | r(x,0)"), "ra holds", "order c1 c2 c3"),
              refused("read 3.1 misses"));
}

TEST(OrderRa, LooksAtManyKeysOfAWriter) {
  const History h = hist("S1: w(x,1)  S2: w(x,2) w(y,2) w(z,2) w(u,2)  S3: r(x,1) r(y,2)");
  EXPECT_THAT(complaint(h, "ra holds", "order c2 c1 c3"), accepted());
  EXPECT_THAT(complaint(h, "ra holds", "order c1 c2 c3"), refused("read 3.1 misses"));
}

TEST(OrderCc, LooksAtTheWholePast) {
  const History h = hist("S1: w(x,1)  S2: w(x,2) w(y,1) | w(z,1)  S3: r(z,1) w(u,1)  S4: r(u,1) r(x,1)");
  EXPECT_THAT(complaint(h, "cc holds", "order c2 c3 c1 c4 c5"), accepted());
  EXPECT_THAT(complaint(h, "cc holds", "order c1 c2 c3 c4 c5"),
              refused("read 5.2 misses the version of transaction 2"));
  EXPECT_THAT(complaint(h, "ra holds", "order c1 c2 c3 c4 c5"), accepted());
}

TEST(OrderCc, GoesThroughUnknownTransactionsButNotOnInTheirSession) {
  const History through = hist("S1: w(x,1)  S2: r(x,1) w(y,1)?  S3: r(y,1) r(x,0)");
  EXPECT_THAT(complaint(through, "cc holds", "order c1 c2 c3"),
              refused("read 3.2 misses the version of transaction 1"));
  const History beside = hist("S1: w(x,1)? | w(y,1)  S2: r(x,1)  S3: r(y,1) r(x,0)");
  EXPECT_THAT(complaint(beside, "cc holds", "order c1 c2 c3 c4"), accepted());
  const History after = hist("S1: w(x,1) | w(y,1)?  S2: r(y,1) r(x,0)");
  EXPECT_THAT(complaint(after, "cc holds", "order c1 c2 c3"),
              refused("read 3.2 misses the version of transaction 1"));
}

TEST(OrderPsi, OrdersTheWritersOfAKey) {
  const History lost_update = hist("S1: r(x,0) w(x,1)  S2: r(x,0) w(x,2)");
  EXPECT_THAT(complaint(lost_update, "cc holds", "order c1 c2"), accepted());
  EXPECT_THAT(complaint(lost_update, "psi holds", "order c1 c2"),
              refused("read 2.1 misses the version of transaction 1"));
  EXPECT_THAT(complaint(lost_update, "psi holds", "order c2 c1"),
              refused("read 1.1 misses the version of transaction 2"));
  const History long_fork = hist("S1: w(x,1)  S2: w(y,1)  S3: r(x,1) r(y,0)  S4: r(y,1) r(x,0)");
  EXPECT_THAT(complaint(long_fork, "psi holds", "order c1 c2 c3 c4"), accepted());
  // 1 reaches 4 through the order of the writers of y.
  const History through = hist("S1: w(x,1) w(y,1)  S2: w(y,2)  S3: r(y,2) r(x,0)");
  EXPECT_THAT(complaint(through, "psi holds", "order c1 c2 c3"),
              refused("read 3.2 misses the version of transaction 1"));
  EXPECT_THAT(complaint(through, "psi holds", "order c2 c1 c3"), accepted());
}

TEST(OrderWeak, ReadsListsAsVersions) {
  const History h =
      hist("S1: append(l,1)  S2: append(l,2) append(l,3)  S3: r(l,[1 2 3])  S4: r(l,[1])  S5: r(l,[])");
  for (const char* level : {"rc", "ra", "cc", "psi"}) {
    EXPECT_THAT(complaint(h, std::string(level) + " holds", "order c1 c2 c3 c4 c5"), accepted());
    EXPECT_THAT(complaint(h, std::string(level) + " holds", "order c2 c1 c3 c4 c5"),
                refused("read 3.1 shows no version"));
    EXPECT_THAT(complaint(h, std::string(level) + " holds", "order c1 c3 c2 c4 c5"),
                refused("read 3.1 shows no version"));
  }
  EXPECT_THAT(complaint(hist("S1: append(l,1) append(l,2)  S2: r(l,[1])"), "rc holds", "order c1 c2"),
              refused("read 2.1 shows no version"));
  EXPECT_THAT(complaint(hist("S1: append(l,1)  S2: append(l,2) r(l,[2])"), "rc holds", "order c1 c2"),
              refused("read 2.2 shows its own elements behind"));
  EXPECT_THAT(complaint(hist("S1: append(l,1)  S2: append(l,2) r(l,[2])"), "rc holds", "order c2 c1"),
              accepted());
}

TEST(Order, ExplainsWhatAnUpdateMayHaveDone) {
  const History history = hist("S1: update-maybe(value = 0,[x=2 y=2])  S2: r(x,2)");  // so x is known
  EXPECT_EQ(complaint(history, "ser holds", "took 1.1 2\norder c1 c2"), "");
  EXPECT_THAT(complaint(history, "ser holds", "left 1.1 2\norder c1 c2"),
              refused("1.1 did not find key y, which matched then"));
  EXPECT_THAT(complaint(history, "ser holds", "order c1 c2"), refused("a took or left line is missing"));
  EXPECT_THAT(complaint(history, "ser holds", "took 1.1 1\ntook 1.1 2\norder c1 c2"),
              refused("a row of which that is known"));
}

TEST(Order, KeepsTheCountOfAnUpdate) {
  const History history = hist("S1: w(y,5) | update-maybe(value = 0,[x=2 y=2],1)");
  EXPECT_EQ(complaint(history, "ser holds", "left 2.1 1\ntook 2.1 2\norder c1 c2"), "");
  EXPECT_THAT(complaint(history, "ser holds", "took 2.1 1\ntook 2.1 2\norder c1 c2"),
              refused("2.1 changed another number of rows"));
  // As many as there are, or none: then it is known.
  EXPECT_EQ(complaint(hist("S1: update-maybe(value = 0,[x=2],1)"), "ser holds", "order c1"), "");
  EXPECT_THAT(complaint(hist("S1: update-maybe(value = 0,[x=2],0)"), "ser holds", "order c1"),
              refused("1.1 did not find key x, which matched then"));
}

TEST(Order, RefusesWhatItHasNoRulesFor) {
  EXPECT_THAT(complaint(hist("S1: r(x,0)"), "strong-si skew 0 holds", "order s1 c1"),
              refused("S1:1 does not say when it began"));
}

}  // namespace
}  // namespace assay::test
