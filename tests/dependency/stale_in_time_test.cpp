// A read of a version that, by the clocks, was overwritten before the reader began.
#include "dependency/stale_in_time.h"

#include <gmock/gmock.h>

#include "isolation/level.h"
#include "support/hist.h"

namespace assay::test {
namespace {

// "R<-W0 W": R read the version of W0, which W overwrote. Empty: there is none.
std::string stale(std::string_view text, Level level = Level::StrictSer, std::int64_t skew = 0) {
  const History history = hist(text);
  const ReadFacts facts = read_facts(history, true).value();
  PointRules rules = row(level).points;
  rules.real_time.skew = skew;
  const VersionIndex versions(facts, history.key_count());
  const auto found = find_stale_in_time(history, facts, versions, rules, Budget::unlimited());
  if (!found) return "";
  return history.display(found->read.reader) + "<-" +
         (found->read.writer.is_none() ? "initial" : history.display(found->read.writer)) + " " +
         history.display(found->overwriter);
}

constexpr const char* kInitial = "S1: <W @0..10> w(x,1)  S2: <R @20..30> r(x,0)";
constexpr const char* kOld = "S1: <A @0..10> w(x,1) | <W @20..30> w(x,2)  S2: <R @40..50> r(x,1)";

TEST(StaleInTime, FindsReadsOfTheInitialVersion) {
  EXPECT_EQ(stale(kInitial), "R<-initial W");
  EXPECT_EQ(stale("S1: <W @0..10> w(x,1)  S2: <R @10..30> r(x,0)"), "") << "they may overlap";
}

TEST(StaleInTime, FindsReadsOfAnOverwrittenVersion) {
  EXPECT_EQ(stale(kOld), "R<-A W");
  EXPECT_EQ(stale("S1: <A @0..25> w(x,1)  S3: <W @20..30> w(x,2)  S2: <R @40..50> r(x,1)"), "")
      << "A may have come after W";
  EXPECT_EQ(stale("S1: <A @0..10> w(x,1)  S3: <W @20..45> w(x,2)  S2: <R @40..50> r(x,1)"), "")
      << "R may have come before W";
}

// The writer that ended last before the reader need not be the one that began after the version.
TEST(StaleInTime, TriesEveryWriterBeforeTheReader) {
  EXPECT_EQ(
      stale("S1: <A @0..10> w(x,1)  S2: <W @20..30> w(x,2)  S3: <V @5..40> w(x,3)  S4: <R @50..60> r(x,1)"),
      "R<-A W");
}

TEST(StaleInTime, AllowsForSkew) {
  EXPECT_EQ(stale(kInitial, Level::StrictSer, 9), "R<-initial W");
  EXPECT_EQ(stale(kInitial, Level::StrictSer, 10), "");
  EXPECT_EQ(stale(kOld, Level::StrictSer, 10), "");
}

TEST(StaleInTime, TransactionsOfUnknownOutcomeMayCommitLater) {
  EXPECT_EQ(stale("S1: <W @0..10> w(x,1)?  S2: <R @20..30> r(x,0)"), "");
  EXPECT_EQ(stale("S1: <W @0..10> w(x,1)?  S2: <R @20..30> r(x,0)  S3: <Q @20..30> r(x,1)"), "");
}

TEST(StaleInTime, UsesSnapshotsWhereTheLevelHasThem) {
  // The snapshot of R lies in 20..25 and the commit of W in 5..10.
  const char* precise = "S1: <W @0..5,10> w(x,1)  S2: <R @20,25..40> r(x,0)";
  EXPECT_EQ(stale(precise, Level::StrongSi), "R<-initial W");
  EXPECT_EQ(stale(precise, Level::Ser), "") << "no real time";
}

}  // namespace
}  // namespace assay::test
