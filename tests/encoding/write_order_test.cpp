// The search as a whole: it ends with an execution that explains the history, or with a contradiction.
#include "encoding/write_order.h"

#include <gtest/gtest.h>

#include "search_parts.h"

namespace assay {
namespace {

using test::Known;

const auto never = [] { return false; };

std::unique_ptr<WriteOrder> search(const Known& k, Guess guess) {
  return std::make_unique<WriteOrder>(k.history, k.facts, k.versions, k.rules, k.known, std::move(guess));
}

TEST(WriteOrder, EndsWithAnExecutionThatExplainsTheHistory) {
  const Known k("S1: w(x,1)  S2: r(x,1)  S3: w(x,2)", Level::Ser);
  const auto s = search(k, k.execution({0, 2, 1}));
  ASSERT_EQ(s->solve(never), Answer::Satisfiable);
  EXPECT_EQ(s->choice_count(), 1u);
  EXPECT_EQ(s->keys_of_choices(), std::vector{KeyId(0)});
  const auto order = s->order();
  EXPECT_TRUE(follow_order(k.history, k.facts, k.rules, order).explains());
}

TEST(WriteOrder, EndsWithAContradictionWhereThereIsNone) {
  for (const Level level : {Level::Ser, Level::Si, Level::Psi}) {
    const Known k("S1: w(x,1) w(y,1)  S2: w(x,2) w(y,2)  S3: r(x,1) r(y,2)", level);
    const auto s = search(k, k.execution());
    EXPECT_EQ(s->solve(never), Answer::Unsatisfiable);
    EXPECT_TRUE(s->solver().is_contradictory());
  }
}

TEST(WriteOrder, MakesNoChoiceThatNothingNeeds) {
  const Known k("S1: w(x,1)  S2: w(x,2)  S3: w(x,3)", Level::Ser);
  const auto s = search(k, k.execution());
  EXPECT_EQ(s->solve(never), Answer::Satisfiable);
  EXPECT_EQ(s->choice_count(), 0u);
  s->make_all_choices();
  EXPECT_EQ(s->choice_count(), 3u);
  EXPECT_EQ(s->solve(never), Answer::Satisfiable);
}

TEST(WriteOrder, MakesTheOtherChoicesWhenTheyAreNeededIfMakingAllIsAbandoned) {
  const Known k("S1: w(x,1) w(y,1)  S2: w(x,2) w(y,2)  S3: r(x,1) r(y,2)", Level::Ser);
  const auto s = search(k, k.execution());
  s->make_all_choices([] { return true; });
  EXPECT_EQ(s->choice_count(), 0u);
  EXPECT_EQ(s->solve(never), Answer::Unsatisfiable);
}

TEST(WriteOrder, StopsWhenItIsTold) {
  const Known k("S1: w(x,1)  S2: r(x,1)  S3: w(x,2)", Level::Ser);
  EXPECT_EQ(search(k, k.execution({0, 2, 1}))->solve([] { return true; }), Answer::Stopped);
}

TEST(WriteOrder, SaysWhomAReadIsFromWhereThatHadToBeChosen) {
  const Known k("S1: w(x,1)  S2: w(x,1)  S3: r(x,1)  S4: w(x,2)", Level::Ser);
  const auto easy = search(k, k.execution({3, 0, 1, 2}));
  ASSERT_EQ(easy->solve(never), Answer::Satisfiable);
  EXPECT_TRUE(easy->chosen(0).is_none());
  const auto hard = search(k, k.execution({0, 1, 3, 2}));
  ASSERT_EQ(hard->solve(never), Answer::Satisfiable);
  EXPECT_FALSE(hard->chosen(0).is_none());
}

TEST(WriteOrder, CountsTransactionsOfUnknownOutcomeThatItNeeds) {
  const Known k("S1: w(x,1)?  S2: w(x,1)?  S3: r(x,1)", Level::Ser);
  const auto s = search(k, k.execution({0, 1, 2}));
  ASSERT_EQ(s->solve(never), Answer::Satisfiable);
  EXPECT_TRUE(s->counts(TxnId(0)) || s->counts(TxnId(1)));
}

}  // namespace
}  // namespace assay
