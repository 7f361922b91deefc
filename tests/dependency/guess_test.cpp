// A greedy execution: what it explains, and which keys it names where it explains nothing.
#include "dependency/guess.h"

#include <gmock/gmock.h>

#include "dependency/ranks.h"
#include "isolation/level.h"
#include "support/hist.h"

namespace assay::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct Guessing {
  Guessing(std::string_view text, Level level) : history(hist(text)), rules(row(level).points) {}

  std::optional<Guess> guess(std::span<const std::uint32_t> rank = {}) const {
    return guess_order(history, facts, rules, nullptr, rank);
  }
  Guess follow(std::vector<std::uint32_t> order) const {
    return follow_order(history, facts, rules, std::move(order));
  }

  History history;
  PointRules rules;
  ReadFacts facts = read_facts(history, true).value();
};

TEST(Guess, RunsWritersBeforeTheirReaders) {
  const auto guess = Guessing("S1: r(x,1) w(y,1)  S2: w(x,1)  S3: r(y,1)", Level::Ser).guess();
  ASSERT_TRUE(guess);
  EXPECT_TRUE(guess->explains());
  EXPECT_THAT(guess->order, ElementsAre(1u, 0u, 2u));
}

TEST(Guess, OverwritesNoVersionThatSomebodyStillHasToRead) {
  const auto guess = Guessing("S1: w(x,1)  S2: r(x,0)", Level::Ser).guess();
  ASSERT_TRUE(guess);
  EXPECT_TRUE(guess->explains());
  EXPECT_THAT(guess->order, ElementsAre(1u, 0u));
}

TEST(Guess, LetsTransactionsOverlapWhereTheyMust) {
  const char* write_skew = "S1: r(x,0) r(y,0) w(x,1)  S2: r(x,0) r(y,0) w(y,1)";
  const auto overlapping = Guessing(write_skew, Level::Si).guess();
  ASSERT_TRUE(overlapping);
  EXPECT_TRUE(overlapping->explains());
  EXPECT_THAT(overlapping->order, SizeIs(4));
}

// It is forced through, and names what it got wrong.
TEST(Guess, GoesOnWhereNothingCanRun) {
  const auto serial = Guessing("S1: r(x,0) r(y,0) w(x,1)  S2: r(x,0) r(y,0) w(y,1)", Level::Ser).guess();
  ASSERT_TRUE(serial);
  EXPECT_THAT(serial->order, testing::UnorderedElementsAre(0u, 1u));
  EXPECT_THAT(serial->broken, SizeIs(1));
  EXPECT_TRUE(serial->is_broken[serial->broken.front().index()]);
}

TEST(Guess, IsNothingWhereReadsFormACycle) {
  EXPECT_FALSE(Guessing("S1: w(x,1) r(y,1)  S2: w(y,1) r(x,1)", Level::Ser).guess());
  EXPECT_FALSE(Guessing("S1: r(x,1) | w(x,1)", Level::Ser).guess());
  EXPECT_TRUE(Guessing("S1: r(x,1) | w(x,1)", Level::PlainSer).guess());
}

TEST(Guess, TakesTheFirstByRankOfSeveralThatCanRun) {
  const Guessing g("S1: w(x,1)  S2: w(x,2)", Level::Ser);
  const std::vector<std::uint32_t> second_first{1, 0};
  EXPECT_THAT(g.guess()->order, ElementsAre(0u, 1u));
  EXPECT_THAT(g.guess(second_first)->order, ElementsAre(1u, 0u));
}

TEST(Guess, KeepsWhatWasDerived) {
  const Guessing g("S1: w(x,1)  S2: w(x,2)", Level::Ser);
  KnownGraph known = known_graph(g.history, g.facts, g.rules);
  known.add(1, 0, {Rule::Missed});
  EXPECT_THAT(guess_order(g.history, g.facts, g.rules, &known)->order, ElementsAre(1u, 0u));
}

TEST(Guess, KeepsRealTimeWhereItIsKnown) {
  const Guessing g("S1: <@20..30> r(x,0)  S2: <@0..10> w(x,1)", Level::StrictSer);
  const KnownGraph known = known_graph(g.history, g.facts, g.rules);
  const auto guess = guess_order(g.history, g.facts, g.rules, &known);
  ASSERT_TRUE(guess);
  const auto at = [&](std::uint32_t node) { return std::ranges::find(guess->order, node); };
  EXPECT_LT(at(1), at(0));
  EXPECT_THAT(guess->broken, ElementsAre(KeyId(0)));
  EXPECT_TRUE(g.guess()->explains());  // which does not know of it
}

TEST(Guess, PutsTransactionsThatDoNotCountLast) {
  EXPECT_THAT(Guessing("S1: w(x,1)!  S2: w(x,2)", Level::Ser).guess()->order, ElementsAre(1u, 0u));
}

TEST(Guess, IsNothingWhenTheBudgetIsSpent) {
  const Guessing g("S1: w(x,1)", Level::Ser);
  Budget budget({.ask = [](std::size_t) { return std::optional<std::string>("enough"); }});
  EXPECT_FALSE(guess_order(g.history, g.facts, g.rules, nullptr, {}, budget));
}

TEST(FollowOrder, NamesKeysWhoseReadsItDoesNotExplain) {
  const Guessing g("S1: w(x,1) w(y,1)  S2: r(x,0)", Level::Ser);
  EXPECT_THAT(g.follow({1, 0}).broken, IsEmpty());
  EXPECT_THAT(g.follow({0, 1}).broken, ElementsAre(KeyId(0)));
}

TEST(FollowOrder, ExplainsAnOpenReadByAnyOfItsPossibleWriters) {
  const Guessing g("S1: w(x,1)  S2: w(x,1)  S3: w(x,2)  S4: r(x,1)", Level::Ser);
  EXPECT_THAT(g.follow({0, 2, 1, 3}).broken, IsEmpty());
  EXPECT_THAT(g.follow({1, 2, 0, 3}).broken, IsEmpty());
  EXPECT_THAT(g.follow({0, 1, 2, 3}).broken, ElementsAre(KeyId(0)));
}

TEST(FollowOrder, NamesKeysWhoseExclusiveWritersOverlap) {
  const Guessing exclusive("S1: w(x,1)  S2: w(x,2)", Level::Si), shared("S1: w(x,1)  S2: w(x,2)", Level::Pc);
  EXPECT_THAT(exclusive.follow({0, 1, 2, 3}).broken, IsEmpty());
  EXPECT_THAT(exclusive.follow({0, 2, 1, 3}).broken, ElementsAre(KeyId(0)));
  EXPECT_THAT(shared.follow({0, 2, 1, 3}).broken, IsEmpty());
}

TEST(Ranks, AreWhatClocksTell) {
  EXPECT_THAT(ranks(hist("S1: <@20..30> w(x,1)  S2: <@0..50> w(x,2)  S3: <@0..10> w(x,3)")),
              ElementsAre(1u, 2u, 0u));
}

TEST(Ranks, AreTheProgressOfSessionsWhereTheFileListsOneAfterAnother) {
  EXPECT_THAT(ranks(hist("S1: w(x,1) | w(x,2) | w(x,3)  S2: w(x,4) | w(x,5) | w(x,6)")),
              ElementsAre(0u, 2u, 4u, 1u, 3u, 5u));
}

TEST(LikelyVersion, IsTheLastOneBeforeTheReader) {
  const Guessing g("S1: w(x,1)  S2: w(x,1)  S3: w(x,1)  S4: r(x,1)", Level::Ser);
  const auto writer = [&](std::vector<std::uint32_t> rank) {
    return g.facts.writer(likely_version(g.facts, g.facts.open.front(), rank));
  };
  EXPECT_EQ(writer({0, 1, 3, 2}), TxnId(1));
  EXPECT_EQ(writer({1, 0, 3, 2}), TxnId(0));
  EXPECT_EQ(writer({3, 1, 2, 0}), TxnId(1));  // all come after it
}

}  // namespace
}  // namespace assay::test
