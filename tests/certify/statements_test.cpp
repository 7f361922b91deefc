// What an order explains of statements, beyond the reads that a certificate names: the rules of
// docs/certificates.md, "`holds` must explain also the invisible reads that are not there".
#include "certify/statements.h"

#include <gtest/gtest.h>

#include "certify/certifying.h"
#include "certify/version_table.h"
#include "support/hist.h"

namespace assay::test {
namespace {

std::string holds(std::string_view text, const std::string& level, std::string_view evidence) {
  return complaint(hist(text), level + " holds", evidence);
}

TEST(ReplayedStatements, FindWhatIsThereAtTheSnapshot) {
  constexpr const char* kText =
      "@initial null S1: insert(x,1) S2: scan(a,z,[]) S3: select(value > 0,[x=1]) S4: update(value = 2,[])";
  EXPECT_THAT(holds(kText, "ser", "order c2 c1 c3 c4"), accepted());
  EXPECT_THAT(holds(kText, "ser", "order c1 c2 c3 c4"), refused("did not find key x, which matched then"));
  EXPECT_THAT(holds(kText, "si", "order s2 s1 c1 c2 s3 c3 s4 c4"), accepted());
  EXPECT_THAT(holds(kText, "si", "order s1 c1 s2 c2 s3 c3 s4 c4"), refused("did not find key x"));
}

TEST(ReplayedStatements, SeeTheirTransactionsOwnWrites) {
  EXPECT_THAT(
      holds("@initial null S1: insert(x,1) scan(a,z,[x=1]) delete(x,true) scan(a,z,[])", "ser", "order c1"),
      accepted());
  EXPECT_THAT(holds("@initial null S1: insert(x,1) scan(a,z,[])", "ser", "order c1"),
              refused("statement 1.2 did not find key x"));
  EXPECT_THAT(holds("S1: update(value = 0,[x=1]) update(value = 0,[x=2]) S2: r(x,0)", "ser", "order c2 c1"),
              refused("statement 1.2 found key x, which did not match then"));
}

TEST(ReplayedStatements, DoNotMeetWhatWasNeverThere) {
  EXPECT_THAT(holds("@initial none S1: w(x,1) S2: select(value = 7,[])", "ser", "order c1 c2"), accepted());
  EXPECT_THAT(holds("@initial none S1: w(x,1) S2: select(value = 7,[])", "ser", "order c2 c1"),
              refused("before anything was there"));
}

TEST(ReplayedStatements, ChangeAsManyRowsAsTheySay) {
  constexpr const char* kText = "S1: w(x,5) w(y,5) S2: update-maybe(value >= 0,[x=1 y=1],1)";
  EXPECT_THAT(holds(kText, "ser", "order c1 c2"), refused("a took or left line is missing"));
  EXPECT_THAT(holds(kText, "ser", "took 2.1 1 / left 2.1 2 / order c1 c2"),
              refused("key y, which matched then"));
  EXPECT_THAT(holds(kText, "ser", "took 2.1 1 / took 2.1 2 / order c1 c2"),
              refused("another number of rows"));
}

// The first version of a key: the newest before the reader, unless its writer is newer than what is read.
TEST(ViewStatements, AreExplainedByTheNewestVersionBeforeThem) {
  constexpr const char* kText = "@initial null S1: w(x,1) S2: w(x,2) S3: select(value = 1,[])";
  EXPECT_THAT(holds(kText, "ra", "order c1 c2 c3"), accepted());
  EXPECT_THAT(holds(kText, "rc", "order c2 c3 c1"), accepted());
  // The reader's view is empty, so the initial version explains it as well.
  EXPECT_THAT(holds(kText, "ra", "order c2 c1 c3"), accepted());
  EXPECT_THAT(
      holds("@initial 1 S1: w(x,1) S2: select(value = 1,[]) S3: r(x,1)", "ra", "order c1 c2 c3 / from 3.1 1"),
      refused("a read line is missing"));
}

// S3 reads y from before S2, so S2 may not come into its view; then the version that S1 wrote has to do.
TEST(ViewStatements, MayNotBringAWriterThatOverwroteWhatIsRead) {
  constexpr const char* kFits =
      "S1: w(x,1) w(y,1) S2: w(x,2) w(y,2) S3: r(y,1) select(value = 2 and key = x,[])";
  EXPECT_THAT(holds(kFits, "ra", "order c1 c2 c3"), accepted());
  constexpr const char* kNot =
      "S1: w(x,1) w(y,1) S2: w(x,2) w(y,2) S3: r(y,1) select(value < 2 and key = x,[])";
  EXPECT_THAT(holds(kNot, "ra", "order c1 c2 c3"), refused("met at key x"));
  // At rc only what later operations read counts.
  EXPECT_THAT(holds(kNot, "rc", "order c1 c2 c3"), accepted());
  constexpr const char* kLater =
      "S1: w(x,1) w(y,1) S2: w(x,2) w(y,2) S3: select(value < 2 and key = x,[]) r(y,1)";
  EXPECT_THAT(holds(kLater, "rc", "order c1 c2 c3"), refused("met at key x"));
}

// The session's own last version at ra; at rc nothing is known of the session.
TEST(ViewStatements, SeeTheirSessionAtRa) {
  constexpr const char* kText =
      "S1: w(x,1) w(y,1) | r(y,1) select(value < 2 and key = x,[]) S2: w(x,2) w(y,2)";
  EXPECT_THAT(holds(kText, "ra", "order c1 c3 c2"), refused("met at key x"));
  EXPECT_THAT(holds("S1: w(x,2) | r(y,1) select(value < 2 and key = x,[]) S2: w(y,1) S3: w(x,1) w(y,3)", "ra",
                    "order c1 c3 c4 c2"),
              accepted());
}

// A writer that came into view as a first version is in view for the other keys, also where a read line
// explains the key through which it came.
TEST(ViewStatements, BringTheirWritersIntoView) {
  constexpr const char* kText =
      "S1: w(x,1) w(y,1) S2: w(y,2) w(z,2) "
      "S3: r(z,0) select(value = 0 and key in [x y],[])";
  EXPECT_THAT(holds(kText, "ra", "order c1 c2 c3"), accepted());
  EXPECT_THAT(holds("S1: w(x,1) w(y,1) S2: w(y,0) w(z,2) S3: r(z,0) select(value = 0 and key in [x y],[])",
                    "ra", "order c1 c2 c3"),
              accepted());
}

TEST(PastStatements, AreExplainedByTheNewestVersionInThePast) {
  constexpr const char* kText = "S1: w(x,1) w(y,1) S2: r(y,1) select(value = 0 and key = x,[])";
  EXPECT_THAT(holds(kText, "cc", "order c1 c2"), accepted());
  // What is not in the past is not met.
  constexpr const char* kOther = "S1: w(x,1) w(y,1) S2: r(y,0) select(value = 0 and key = x,[])";
  EXPECT_THAT(holds(kOther, "cc", "order c1 c2"), refused("met at key x"));
  EXPECT_THAT(holds("S1: w(x,0) w(y,1) | r(z,0) select(value = 0 and key = x,[])", "psi", "order c1 c2"),
              refused("met at key x"));
  EXPECT_THAT(holds("S1: w(x,3) w(y,1) | r(z,0) select(value = 0 and key = x,[])", "psi", "order c1 c2"),
              accepted());
}

// At psi the writers of a key follow one another, so the first is in the past of who reads from the second.
TEST(PastStatements, HaveTheOrderOfWritersAtPsi) {
  constexpr const char* kText =
      "S1: w(x,1) w(y,1) S2: w(y,2) w(z,2) S3: r(z,2) select(value = 0 and key = x,[])";
  EXPECT_THAT(holds(kText, "psi", "order c1 c2 c3"), accepted());
  EXPECT_THAT(holds(kText, "cc", "order c1 c2 c3"), refused("met at key x"));
}

// The session goes on without a transaction of unknown outcome.
TEST(PastStatements, DoNotFollowWhatAnUnknownOneSaw) {
  constexpr const char* kText =
      "S1: w(x,1) S2: r(x,1) select(value = 0,[])? | select(value = 1 and key = x,[])";
  EXPECT_THAT(holds(kText, "cc", "order c1 c2 c3"), accepted());
}

TEST(VersionTable, TakesBackWhatATransactionOnlyTried) {
  const History h = hist("@initial null S1: insert(x,1) scan(a,z,[x=1])");
  const RowOutcomes none;
  VersionTable table(h, none);
  int statements = 0, wrong = 0;
  table.run(TxnId(0), [&](OpId op) {
    ++statements;
    table.each_wrong(op, [&](KeyId, bool) { ++wrong; });
    EXPECT_EQ(table.at(KeyId(0)).writer, TxnId(0));
  });
  EXPECT_EQ(statements, 1);
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(table.at(KeyId(0)).writer.is_none());
  table.commit(TxnId(0));
  EXPECT_EQ(table.at(KeyId(0)).writer, TxnId(0));
}

}  // namespace
}  // namespace assay::test
