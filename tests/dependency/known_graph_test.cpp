// The edges between points that are known before anything is derived or chosen.
#include "dependency/points.h"

#include <gmock/gmock.h>

#include "isolation/level.h"
#include "support/hist.h"
#include "support/known_edges.h"

namespace assay::test {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<std::string> edges(std::string_view text, Level level, bool every_read = false) {
  const History history = hist(text);
  const ReadFacts facts = read_facts(history, true).value();
  const PointRules& rules = row(level).points;
  return edges_in_words(known_graph(history, facts, rules, every_read),
                        Points(history.transaction_count(), rules.two_points));
}

TEST(KnownGraph, HasSessionOrderAndReads) {
  EXPECT_THAT(edges("S1: w(x,1) | w(y,1)  S2: r(x,1)", Level::Ser),
              UnorderedElementsAre("1<2 session", "1<3 reads"));
}

TEST(KnownGraph, PutsASnapshotBeforeItsCommit) {
  EXPECT_THAT(edges("S1: w(x,1)  S2: r(x,1)", Level::Si),
              UnorderedElementsAre("s1<c1 own", "s2<c2 own", "c1<s2 reads"));
}

TEST(KnownGraph, KnowsNoSessionsAtALevelWithoutThem) {
  EXPECT_THAT(edges("S1: w(x,1) | w(y,1)  S2: r(x,1)", Level::PlainSer), UnorderedElementsAre("1<3 reads"));
}

TEST(KnownGraph, TouchesNoTransactionThatDoesNotCount) {
  EXPECT_THAT(edges("S1: w(x,1)! | w(y,1)?  S2: r(x,0)", Level::Si), UnorderedElementsAre("s3<c3 own"));
}

// It may have committed at any later time.
TEST(KnownGraph, PutsATransactionOfUnknownOutcomeBeforeNothingInItsSession) {
  EXPECT_THAT(edges("S1: w(x,1) | w(x,2)? | w(x,3)  S2: r(x,2)", Level::Ser),
              UnorderedElementsAre("1<2 session", "1<3 session", "2<4 reads"));
}

TEST(KnownGraph, KeepsOfTheWritersOfASessionTheLast) {
  const char* text = "S1: w(x,1) | w(y,1)  S2: r(x,1) r(y,1)";
  EXPECT_THAT(edges(text, Level::Ser), UnorderedElementsAre("1<2 session", "2<3 reads"));
  EXPECT_THAT(edges(text, Level::Ser, true), UnorderedElementsAre("1<2 session", "1<3 reads", "2<3 reads"));
}

TEST(KnownGraph, HasTheOrderThatListsShow) {
  const char* text = "S1: append(l,1)  S2: append(l,2)  S3: r(l,[1 2])  S4: r(l,[1])";
  EXPECT_THAT(edges(text, Level::Ser),
              UnorderedElementsAre("2<3 reads", "1<4 reads", "1<2 observed", "4<2 overwritten"));
  EXPECT_THAT(edges(text, Level::Si), testing::IsSupersetOf({"c1<s2 exclusive", "s4<c2 overwritten"}));
}

TEST(KnownGraph, RemembersWhatIsTrueOnlyIfATransactionCounts) {
  const History history =
      hist("S1: append(l,1)  S2: append(l,2)  S3: r(l,[1 2]) w(x,1)?  S4: w(x,1)  S5: r(x,1)");
  const ReadFacts facts = read_facts(history, true).value();
  const KnownGraph known = known_graph(history, facts, row(Level::Ser).points);
  ASSERT_EQ(known.if_counts.size(), 1u);
  EXPECT_EQ(known.if_counts[0].txn, TxnId(2));
  EXPECT_EQ(edge_in_words(Points(5, false), known.if_counts[0].edge, known.if_counts[0].cause.rule),
            "1<2 observed");
  EXPECT_THAT(edges_in_words(known, Points(5, false)), IsEmpty());
}

}  // namespace
}  // namespace assay::test
