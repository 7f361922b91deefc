// Clauses wait, and say why they hold.
#include "encoding/clauses.h"

#include "search_parts.h"

namespace assay {
namespace {

using test::SearchParts;

TEST(Clauses, WaitUntilTheyAreStated) {
  SearchParts s("S1: w(x,1)  S2: w(x,2)", Level::Ser, {0, 1});
  const Lit second = s.order.commits_before(TxnId(1), TxnId(0));
  s.clauses.add_axiom({second}, {.rule = Rule::Candidates, .op = OpId(7)});
  EXPECT_TRUE(s.clauses.is_waiting());
  ASSERT_EQ(s.solve([&] { EXPECT_FALSE(s.choices.is_true(second)); }), Answer::Satisfiable);
  EXPECT_TRUE(s.clauses.state_clauses());
  EXPECT_FALSE(s.clauses.is_waiting());
  EXPECT_FALSE(s.clauses.state_clauses());
  ASSERT_EQ(s.solve([&] { EXPECT_TRUE(s.choices.is_true(second)); }), Answer::Satisfiable);
  const auto id = static_cast<ClauseId>(s.solver.derivations().size() - 1);
  EXPECT_EQ(s.clauses.axiom(id).rule, Rule::Candidates);
  EXPECT_EQ(s.clauses.axiom(id).op, OpId(7));
}

TEST(Clauses, AFactIsAVariableThatIsAlwaysTrue) {
  SearchParts s("S1: w(x,1)  S2: r(x,0)", Level::Ser, {0, 1});
  s.clauses.add_fact(0, TxnId(0));
  EXPECT_TRUE(s.clauses.is_waiting());
  EXPECT_EQ(s.choices.size(), 0u);
  s.clauses.state_facts();
  EXPECT_FALSE(s.clauses.is_waiting());
  ASSERT_EQ(s.choices.size(), 1u);
  EXPECT_TRUE(s.choices[0].is_fact);
  EXPECT_EQ(s.clauses.axiom(0).rule, Rule::Overwritten);
  ASSERT_EQ(s.solve(), Answer::Satisfiable);
  EXPECT_TRUE(s.before(1, 0));
}

TEST(Clauses, TellCyclesFromMissedReads) {
  SearchParts s("S1: w(x,1)  S2: w(x,2)  S3: r(x,1)", Level::Psi, {0, 1, 2});
  const Lit first = s.order.commits_before(TxnId(0), TxnId(1));
  s.clauses.add_missed({~first}, {0});
  EXPECT_TRUE(s.clauses.state_clauses());
  const auto lemma = static_cast<ClauseId>(s.solver.derivations().size() - 1);
  EXPECT_FALSE(s.clauses.is_cycle(lemma));
  EXPECT_TRUE(s.clauses.is_cycle(lemma + 1));
  ASSERT_EQ(s.solve([&] { EXPECT_FALSE(s.choices.is_true(first)); }), Answer::Satisfiable);
}

}  // namespace
}  // namespace assay
