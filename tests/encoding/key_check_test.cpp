// What of a key the execution at hand breaks, and what is added for it.
#include "encoding/key_check.h"

#include <gmock/gmock.h>

#include "search_parts.h"

namespace assay {
namespace {

using test::rules_of;
using test::SearchParts;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr KeyId kX{0};

struct Checked : SearchParts {
  template <class Text>
  Checked(Text text, Level level, std::initializer_list<std::size_t> transactions)
      : SearchParts(std::move(text), level, transactions) {
    check.check(kX);
  }

  bool is_checked_again() {
    dirty.next_pass();
    return dirty.contains(kX);
  }

  DirtyKeys dirty{{}, history.key_count()};
  KeyOrders orders{problem, theory.order()};
  KeyCheck check{problem, theory.order(), orders, dirty, order, version, clauses};
};

TEST(KeyCheck, AddsNothingForReadsThatSeeWhatTheyShould) {
  Checked c("S1: w(x,1)  S2: r(x,1)  S3: w(x,2)  S4: r(x,2)", Level::Ser, {0, 1, 2, 3});
  EXPECT_EQ(c.choices.size(), 0u);
  EXPECT_FALSE(c.clauses.is_waiting());
  EXPECT_FALSE(c.is_checked_again());
}

TEST(KeyCheck, MakesTheOrderOfTwoWritersAChoiceIfAReaderSeesTheWrongOne) {
  Checked c("S1: w(x,1)  S2: r(x,1)  S3: w(x,2)", Level::Ser, {0, 2, 1});
  EXPECT_THAT(rules_of(c.choices), ElementsAre(Rule::Suppose));
  EXPECT_EQ(c.choices[0].first, TxnId(0));
  EXPECT_EQ(c.choices[0].second, TxnId(2));
}

TEST(KeyCheck, MakesOneChoiceForAllReadersOfAVersion) {
  Checked c("S1: w(x,1)  S2: r(x,1)  S3: r(x,1)  S4: w(x,2)", Level::Ser, {0, 3, 1, 2});
  EXPECT_EQ(c.choices.size(), 1u);
}

TEST(KeyCheck, PutsReadersOfTheInitialVersionFirstWithoutAChoice) {
  Checked c("S1: r(x,0)  S2: w(x,1)", Level::Ser, {1, 0});
  EXPECT_EQ(c.choices.size(), 0u);
  c.state();
  EXPECT_THAT(rules_of(c.choices), ElementsAre(Rule::Overwritten));
  EXPECT_TRUE(c.choices[0].is_fact);
  ASSERT_EQ(c.solve(), Answer::Satisfiable);
  EXPECT_TRUE(c.before(0, 1));
}

TEST(KeyCheck, ComparesNeighboursOnlyButFindsEveryStaleRead) {
  // The reader of the first version comes after all three; only the first two are neighbours.
  Checked c("S1: w(x,1)  S2: w(x,2)  S3: w(x,3)  S4: r(x,1)", Level::Ser, {0, 1, 2, 3});
  ASSERT_EQ(c.choices.size(), 1u);
  EXPECT_EQ(c.choices[0].second, TxnId(1));
}

TEST(KeyCheck, SeparatesWritersThatOverlapWhereTheyExcludeEachOther) {
  for (const Level level : {Level::Si, Level::Pc}) {
    SearchParts s("S1: w(x,1)  S2: w(x,2)", level);
    // Both take their snapshots before either commits.
    Acyclicity theory(s.known.nodes, s.known.edges, {0, 2, 1, 3});
    DirtyKeys dirty({}, 1);
    KeyOrders orders(s.problem, theory.order());
    KeyCheck check(s.problem, theory.order(), orders, dirty, s.order, s.version, s.clauses);
    check.check(kX);
    EXPECT_EQ(s.choices.size(), level == Level::Si ? 1u : 0u);
  }
}

TEST(KeyCheck, ChoosesAWriterOfAnOpenReadOnlyIfItSeesNoneOfThem) {
  constexpr std::string_view kText = "S1: w(x,1)  S2: w(x,1)  S3: r(x,1)  S4: w(x,2)";
  Checked right(kText, Level::Ser, {3, 0, 1, 2});
  EXPECT_EQ(right.choices.size(), 0u);
  EXPECT_FALSE(right.is_checked_again());
  Checked wrong(kText, Level::Ser, {0, 1, 3, 2});
  EXPECT_THAT(rules_of(wrong.choices), ElementsAre(Rule::From, Rule::From));
  EXPECT_TRUE(wrong.clauses.is_waiting());
  EXPECT_TRUE(wrong.is_checked_again());
}

TEST(KeyCheck, OrdersAnOpenReadWhoseChosenWriterWasOverwritten) {
  Checked c("S1: w(x,1)  S2: w(x,1)  S3: r(x,1)  S4: w(x,2)", Level::Ser, {0, 1, 3, 2});
  c.state();
  ASSERT_EQ(c.solve([&] {
    c.check.check(kX);
    EXPECT_EQ(c.version.chosen(0), c.version_by(1));
  }),
            Answer::Satisfiable);
  EXPECT_THAT(rules_of(c.choices), ElementsAre(Rule::From, Rule::From, Rule::Overwritten, Rule::Suppose));
  // If the read is from the second, and that is before the fourth, the reader is before the fourth.
  c.state();
  c.assume(c.version.is_from(0, c.version_by(1)));
  c.assume(c.order.commits_before(TxnId(1), TxnId(3)));
  ASSERT_EQ(c.solve(), Answer::Satisfiable);
  EXPECT_TRUE(c.before(2, 3));
}

TEST(KeyCheck, LeavesOutTransactionsThatDoNotCount) {
  Checked c("S1: w(x,1)  S2: w(x,2)?  S3: r(x,1)  S4: r(x,2)?", Level::Ser, {0, 1, 2, 3});
  EXPECT_EQ(c.choices.size(), 0u);
}

constexpr std::string_view kUpdate = "S1: w(x,5)  S2: update-maybe(value > 3,[x=9])  S3: r(x,5)";

TEST(KeyCheck, AConditionalWriteTakesPlaceIfWhatItMeetsMatches) {
  Checked matches(test::with_conditional_writes(kUpdate), Level::Ser, {0, 2, 1});
  EXPECT_TRUE(matches.version.takes_place(0));
  EXPECT_FALSE(matches.clauses.is_waiting());
  Checked none(test::with_conditional_writes(kUpdate), Level::Ser, {1, 0, 2});
  EXPECT_FALSE(none.version.takes_place(0));
  EXPECT_FALSE(none.clauses.is_waiting());
}

TEST(KeyCheck, AReadThatAConditionalWriteOverwroteIsOrderedIfItTookPlace) {
  Checked c(test::with_conditional_writes(kUpdate), Level::Ser, {0, 1, 2});
  EXPECT_THAT(rules_of(c.choices), ElementsAre(Rule::Overwritten, Rule::Suppose, Rule::Took));
  EXPECT_TRUE(c.clauses.is_waiting());
  EXPECT_TRUE(c.is_checked_again());
}

TEST(KeyCheck, AStatementThatChangedTooManyOrTooFewRowsIsRefused) {
  for (const bool too_many : {true, false}) {
    const std::string text =
        std::string("S1: w(x,5) w(y,5)  S2: update-maybe(value > 3,[x=9 y=9],") + (too_many ? "1)" : "2)");
    Checked c(test::with_conditional_writes(text), Level::Ser, {0, 1});
    ASSERT_EQ(c.facts.counted.size(), 1u);
    c.check.check(KeyId(1));
    c.check.check_counts();
    EXPECT_EQ(c.clauses.is_waiting(), too_many);
    if (too_many) EXPECT_THAT(rules_of(c.choices), Contains(Rule::Took).Times(2));
    else EXPECT_THAT(rules_of(c.choices), IsEmpty());
  }
}

}  // namespace
}  // namespace assay
