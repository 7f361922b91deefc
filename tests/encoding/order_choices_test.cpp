// What the choices about order switch on.
#include "encoding/order_choices.h"

#include <gmock/gmock.h>

#include "search_parts.h"

namespace assay {
namespace {

using test::SearchParts;
using testing::ElementsAre;

constexpr TxnId kFirst{0}, kSecond{1}, kThird{2};

TEST(OrderChoices, HaveOneVariableForTwoWriters) {
  SearchParts s("S1: w(x,1)  S2: w(x,2)", Level::Ser);
  EXPECT_EQ(s.order.order(kFirst, kSecond), s.order.order(kSecond, kFirst));
  EXPECT_EQ(s.order.commits_before(kFirst, kSecond), ~s.order.commits_before(kSecond, kFirst));
  EXPECT_EQ(s.choices.size(), 1u);
}

TEST(OrderChoices, PutReadersOfTheFirstWriterBeforeTheSecond) {
  SearchParts s("S1: w(x,1)  S2: w(x,2)  S3: r(x,1)", Level::Ser, {0, 1, 2});
  const Lit first = s.order.commits_before(kFirst, kSecond);
  s.assume(first);
  ASSERT_EQ(s.solve(), Answer::Satisfiable);
  EXPECT_TRUE(s.before(0, 2));
  EXPECT_TRUE(s.before(2, 1));
  EXPECT_EQ(s.choices.cause(static_cast<std::uint32_t>(s.theory.fact_count())).rule, Rule::Suppose);
  EXPECT_EQ(s.choices.cause(static_cast<std::uint32_t>(s.theory.fact_count()) + 1).rule, Rule::Overwritten);
}

TEST(OrderChoices, SayAllThatTheyMeanForEveryKeyThatBothWrite) {
  SearchParts s("S1: w(x,1) w(y,1)  S2: w(x,2) w(y,2)  S3: r(y,1)", Level::Ser, {0, 1, 2});
  s.assume(s.order.commits_before(kFirst, kSecond));
  ASSERT_EQ(s.solve(), Answer::Satisfiable);
  EXPECT_TRUE(s.before(2, 1));
}

TEST(OrderChoices, LetAWriterReadWhatItOverwrites) {
  SearchParts s("S1: w(x,1)  S2: r(x,1) w(x,2)", Level::Ser);
  s.assume(s.order.commits_before(kFirst, kSecond));
  EXPECT_EQ(s.solve(), Answer::Satisfiable);
}

TEST(OrderChoices, KeepExclusiveWritersApart) {
  SearchParts s("S1: w(x,1)  S2: w(x,2)", Level::Si, {0, 1});
  s.assume(s.order.commits_before(kSecond, kFirst));
  ASSERT_EQ(s.solve(), Answer::Satisfiable);
  EXPECT_TRUE(s.before(s.problem.points.commit(kSecond), s.problem.points.snapshot(kFirst)));
  EXPECT_EQ(s.choices.cause(static_cast<std::uint32_t>(s.theory.fact_count())).rule, Rule::Exclusive);
}

// Where there is no total order, a reader of the first version need not come before the second writer.
TEST(OrderChoices, OrderOnlyTheCommitsAtPsi) {
  SearchParts s("S1: w(x,1)  S2: w(x,2)  S3: r(x,1)", Level::Psi, {0, 1, 2});
  s.assume(s.order.commits_before(kFirst, kSecond));
  ASSERT_EQ(s.solve(), Answer::Satisfiable);
  EXPECT_TRUE(s.before(1, 2));
}

TEST(OrderChoices, AreDecidedWhenTheSearchHasDecidedThem) {
  SearchParts s("S1: w(x,1)  S2: w(x,2)  S3: w(x,3)", Level::Ser);
  EXPECT_FALSE(s.order.is_decided(kFirst, kSecond));
  s.order.order(kFirst, kSecond);
  EXPECT_FALSE(s.order.is_decided(kFirst, kSecond));
  ASSERT_EQ(s.solve([&] {
    EXPECT_TRUE(s.order.is_decided(kFirst, kSecond));
    EXPECT_FALSE(s.order.is_decided(kFirst, kThird));
  }),
            Answer::Satisfiable);
}

TEST(OrderChoices, OfASnapshotAndACommitAreMadeOnceForEachDirection) {
  SearchParts s("S1: w(x,1)  S2: r(x,1) w(x,2)  S3: w(x,3)", Level::Si);
  EXPECT_EQ(s.order.is_apart(kFirst, kThird), s.order.is_apart(kFirst, kThird));
  EXPECT_NE(s.order.is_apart(kFirst, kThird), s.order.is_apart(kThird, kFirst));
  const OpId read = s.facts.reads[0].op;
  EXPECT_EQ(s.order.reads_before(kSecond, read, 0, kThird), s.order.reads_before(kSecond, read, 0, kThird));
  EXPECT_THAT(test::rules_of(s.choices), ElementsAre(Rule::Exclusive, Rule::Exclusive, Rule::Overwritten));
  s.assume(s.order.is_apart(kThird, kFirst));
  s.assume(s.order.reads_before(kSecond, read, 0, kThird));
  EXPECT_EQ(s.solve(), Answer::Unsatisfiable);  // the second reads from the first
}

TEST(Choices, NameTheKeysThatTheyAreAbout) {
  SearchParts s("S1: w(x,1) w(y,1)  S2: w(y,2) w(z,2)  S3: w(z,3)", Level::Ser);
  EXPECT_TRUE(s.choices.keys().empty());
  s.order.order(kSecond, kThird);
  s.order.order(kSecond, kFirst);
  EXPECT_THAT(s.choices.keys(), ElementsAre(KeyId(1), KeyId(2)));
}

}  // namespace
}  // namespace assay
