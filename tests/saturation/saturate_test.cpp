// What each rule derives from a history made for it, and the contradictions that end saturation.
#include "saturation/saturate.h"

#include <gmock/gmock.h>

#include "isolation/level.h"
#include "support/hist.h"
#include "support/known_edges.h"

namespace assay::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;
using End = Saturation::End;

struct Saturating {
  Saturating(std::string_view text, Level level)
      : history(hist(text)),
        rules(row(level).points),
        points(history.transaction_count(), rules.two_points) {}

  Saturation look_at(const std::vector<KeyId>& keys) {
    const auto order = topological_order(Digraph(known.nodes, known.edges));
    EXPECT_TRUE(order.has_value());
    return saturator.look_at(keys, *order);
  }
  Saturation look_at_all() {
    const auto keys = history.keys();
    return look_at({keys.begin(), keys.end()});
  }
  // The edges that were derived.
  std::vector<std::string> derived() const { return edges_in_words(known, points, known.given); }

  History history;
  PointRules rules;
  Points points;
  ReadFacts facts = read_facts(history, true).value();
  VersionIndex versions{facts, history.key_count()};
  KnownGraph known = known_graph(history, facts, rules);
  Budget budget;
  Saturator saturator{history, facts, versions, rules, known, fewest_chains(history, facts, rules, known),
                      budget};
};

std::vector<std::string> derived(std::string_view text, Level level) {
  Saturating s(text, level);
  EXPECT_EQ(s.look_at_all().end, End::Fixpoint) << text;
  return s.derived();
}

// Clocks count up to 65,535 transactions of a chain, or half as many at levels with two points.
TEST(Saturation, FollowsSessionsThatAreLongerThanAClockCounts) {
  std::string text = "S1: w(x,1)";
  for (int i = 0; i < 70'000; ++i) text += " | r(z,0)";
  for (const Level level : {Level::Ser, Level::Si, Level::Psi}) {
    Saturating stale(text + " | r(x,0)", level);
    EXPECT_EQ(stale.look_at_all().end, End::Stale) << id(level);
    Saturating missed(text + " | r(x,2)  S2: w(x,2)", level);
    EXPECT_EQ(missed.look_at_all().end, End::Fixpoint) << id(level);
    EXPECT_THAT(missed.derived(), SizeIs(1)) << id(level);
  }
}

// --- The three rules ---

TEST(Saturation, PutsAMissedVersionBeforeTheOneThatWasSeen) {
  const char* text = "S1: w(x,1) w(y,1)  S2: w(x,2)  S3: r(y,1) r(x,2)";
  EXPECT_THAT(derived(text, Level::Ser), ElementsAre("1<2 missed"));
  EXPECT_THAT(derived(text, Level::Pc), ElementsAre("c1<c2 missed"));
  EXPECT_THAT(derived(text, Level::Si), ElementsAre("c1<s2 missed"));
}

TEST(Saturation, PutsAReaderBeforeTheOverwriterOfItsVersion) {
  const char* text = "S1: w(x,1) | w(x,2)  S2: r(x,1)";
  EXPECT_THAT(derived(text, Level::Ser), ElementsAre("3<2 overwritten"));
  EXPECT_THAT(derived(text, Level::Si), ElementsAre("s3<c2 overwritten"));
}

TEST(Saturation, PutsAReaderOfTheInitialVersionBeforeEveryWriter) {
  EXPECT_THAT(derived("S1: r(x,0)  S2: w(x,1)  S3: w(x,2)", Level::Ser),
              UnorderedElementsAre("1<2 overwritten", "1<3 overwritten"));
}

TEST(Saturation, AsksAtPsiOnlyReadersThatWriteTheKeyToo) {
  EXPECT_THAT(derived("S1: w(x,1) | w(x,2)  S2: r(x,1)", Level::Psi), IsEmpty());
  EXPECT_THAT(derived("S1: r(x,0) w(x,1)  S2: w(x,2)", Level::Psi), SizeIs(1));
}

// The first's snapshot comes before the second's commit, so the whole transaction does.
TEST(Saturation, KeepsWritersOfAKeyApartWhereTheyAreExclusive) {
  const char* text = "S1: r(z,0) w(x,1)  S2: w(x,2) w(z,1)";
  EXPECT_THAT(derived(text, Level::Si), ElementsAre("s1<c2 overwritten", "c1<s2 exclusive"));
  EXPECT_THAT(derived(text, Level::Pc), ElementsAre("s1<c2 overwritten"));
}

TEST(Saturation, DerivesFromWhatWasDerived) {
  // 1<2 missed at x, from which the reader of z, from 1, comes before 2.
  Saturating s("S1: w(x,1) w(y,1) w(z,1)  S2: w(x,2) w(z,2)  S3: r(y,1) r(x,2)  S4: r(z,1)", Level::Ser);
  EXPECT_EQ(s.look_at_all().end, End::Fixpoint);
  EXPECT_THAT(s.derived(), UnorderedElementsAre("1<2 missed", "4<2 overwritten"));
  EXPECT_GE(s.saturator.rounds(), 2u);
}

TEST(Saturation, AddsNoEdgeThatIsKnown) {
  EXPECT_THAT(derived("S1: w(x,1) | w(x,2)  S2: r(x,2)", Level::Ser), IsEmpty());
}

TEST(Saturation, LooksOnlyAtKeysThatWereNamed) {
  Saturating s("S1: r(x,0)  S2: w(x,1)  S3: r(y,0)  S4: w(y,1)", Level::Ser);
  EXPECT_EQ(s.look_at({}).end, End::Fixpoint);
  EXPECT_THAT(s.derived(), IsEmpty());
  EXPECT_EQ(s.look_at({KeyId(1)}).end, End::Fixpoint);
  EXPECT_THAT(s.derived(), ElementsAre("3<4 overwritten"));
  EXPECT_EQ(s.look_at({KeyId(0)}).end, End::Fixpoint);
  EXPECT_THAT(s.derived(), ElementsAre("3<4 overwritten", "1<2 overwritten"));
}

// --- Contradictions ---

TEST(Saturation, EndsInACycleOfDerivedEdges) {
  Saturating s("S1: r(x,0) w(x,1)  S2: r(x,0) w(x,2)", Level::Ser);
  const Saturation result = s.look_at_all();
  ASSERT_EQ(result.end, End::Cycle);
  ASSERT_THAT(result.cycle, SizeIs(2));
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_EQ(s.known.edges[result.cycle[i]].to, s.known.edges[result.cycle[1 - i]].from);
}

TEST(Saturation, EndsWhereAnOverwriterReachesAReaderOfTheInitialVersion) {
  Saturating s("S1: w(x,1) w(y,1)  S2: r(y,1) r(x,0)", Level::Ser);
  const Saturation result = s.look_at_all();
  ASSERT_EQ(result.end, End::Stale);
  EXPECT_EQ(s.facts.reads[result.read].key, s.facts.writes[0]);
  EXPECT_TRUE(s.facts.reads[result.read].writer.is_none());
  EXPECT_EQ(result.overwriting, TxnId(0));
}

TEST(Saturation, EndsWhenNoPossibleWriterOfAReadIsLeft) {
  Saturating s("S1: w(x,1) | w(x,2) w(y,1)  S2: w(x,1) | w(x,3) w(z,1)  S3: r(y,1) r(z,1) r(x,1)",
               Level::Ser);
  const Saturation result = s.look_at_all();
  ASSERT_EQ(result.end, End::NoWriter);
  EXPECT_EQ(s.facts.open[result.read].reader, TxnId(4));
  EXPECT_TRUE(s.known.is_excluded(0));
  EXPECT_TRUE(s.known.is_excluded(1));
}

TEST(Saturation, StopsWhenTheBudgetIsSpent) {
  Saturating s("S1: w(x,1)", Level::Ser);
  Budget spent({.ask = [](std::size_t) { return std::optional<std::string>("enough"); }});
  KnownGraph known = known_graph(s.history, s.facts, s.rules);
  Saturator saturator(s.history, s.facts, s.versions, s.rules, known,
                      fewest_chains(s.history, s.facts, s.rules, known), spent);
  EXPECT_EQ(saturator.look_at(std::vector{KeyId(0)}, std::vector<std::uint32_t>{0}).end, End::Stopped);
}

// --- Reads with several possible writers ---

// The second transaction overwrote the first and is in the reader's view, so the read is from the third.
TEST(Saturation, SettlesAReadOfWhichOneWriterIsLeft) {
  Saturating s("S1: w(x,1) | w(x,2) w(y,1)  S2: w(x,1)  S3: r(y,1) r(x,1)", Level::Ser);
  EXPECT_EQ(s.look_at_all().end, End::Fixpoint);
  EXPECT_THAT(s.derived(), UnorderedElementsAre("3<4 reads", "2<3 missed"));
  EXPECT_TRUE(s.known.is_excluded(0));
  EXPECT_FALSE(s.known.is_excluded(1));
  EXPECT_EQ(s.known.settled[0], 1u);
}

TEST(Saturation, ExcludesAWriterThatFollowsTheReader) {
  Saturating s("S1: r(x,1) w(y,1)  S2: r(y,1) w(x,1)  S3: w(x,1)", Level::Ser);
  EXPECT_EQ(s.look_at_all().end, End::Fixpoint);
  EXPECT_TRUE(s.known.is_excluded(0));
  EXPECT_THAT(s.derived(), testing::Contains("3<1 reads"));
}

TEST(Saturation, LeavesAReadOpenThatSeveralMayHaveWritten) {
  Saturating s("S1: w(x,1)  S2: w(x,1)  S3: r(x,1)", Level::Ser);
  EXPECT_EQ(s.look_at_all().end, End::Fixpoint);
  EXPECT_THAT(s.derived(), IsEmpty());
  EXPECT_THAT(s.saturator.possible_versions(KeyId(0), TxnId(2)),
              testing::IsSupersetOf({VersionId(0), VersionId(1)}));
}

// --- Reads that come later ---

TEST(Saturation, LooksAtReadsThatAreAdded) {
  Saturating s("S1: w(x,1) | w(x,2)  S2: w(y,1)", Level::Ser);
  EXPECT_EQ(s.look_at_all().end, End::Fixpoint);
  ASSERT_THAT(s.derived(), IsEmpty());
  const MovedReads moved = add_late_reads(s.facts, {{TxnId(2), KeyId(0), {VersionId(0)}}});
  s.versions.index_open_reads(s.facts);
  s.saturator.take(moved);
  EXPECT_EQ(s.look_at({}).end, End::Fixpoint);
  EXPECT_THAT(s.derived(), UnorderedElementsAre("1<3 reads", "3<2 overwritten"));
}

}  // namespace
}  // namespace assay::test
