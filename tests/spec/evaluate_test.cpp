// Each construct of the language on a history small enough to see the answer.
#include <gtest/gtest.h>

#include "spec/evaluate.h"
#include "spec/load.h"

namespace assay::spec {
namespace {

// S1: T1 w(x,1) | T2 r(x,1) w(y,1)   S2: T3 r(x,0) r(y,1)
HistoryFacts example() {
  HistoryFacts facts{4, 2, 2, {}, {}, {}};
  facts.writes = {{0, 0, 0}, {0, 1, 0}, {1, 0, 1}, {2, 1, 1}};
  facts.reads = {{2, 0, 1}, {3, 0, 0}, {3, 1, 1}};
  facts.session_order = {{1, 2}};
  return facts;
}

// Whether the formula holds with the order of numbers as o.
bool holds(const std::string& formula, const std::string& definitions = "") {
  const auto library = library_of_text(
      definitions + "\nframework f { witness o : total order on Txn }\nlevel L in f: " + formula, "test");
  if (!library) ADD_FAILURE() << library.error().describe();
  const auto spec = library->find("f", "L");
  if (!spec) ADD_FAILURE() << spec.error().describe();
  const FiniteHistory history = finite_history(example(), {1, 0, 2});
  Rows order;
  for (std::uint32_t i = 0; i < 4; ++i)
    for (std::uint32_t j = i + 1; j < 4; ++j) order.insert({i, j});
  const std::vector<Rows> witnesses{order};
  EXPECT_TRUE(satisfies(*library->find("f", "L"), history, witnesses) ==
              Evaluator(history, witnesses).holds(*spec->formula));
  return Evaluator(history, witnesses).holds(*spec->formula);
}

TEST(Evaluator, KnowsTheHistory) {
  EXPECT_TRUE(holds("all t: t != T0 => so(T0,t)"));
  EXPECT_TRUE(holds("one s, t: s != T0 and so(s,t)"));
  EXPECT_TRUE(holds("some x: wr[x](T0,max(o,Txn))"));
  EXPECT_TRUE(holds("wr in o"));
  EXPECT_FALSE(holds("o in wr"));
  EXPECT_TRUE(holds("all t, x, v: writes(t,x,v) => W(x)(t)"));
  EXPECT_TRUE(holds("all t, x: R(x)(t) <=> some v: reads(t,x,v)"));
  EXPECT_TRUE(holds("one p, q: po(p,q) and some t: by(p,t) and by(q,t) and some x: at(p,x) and rf(T0,p)"));
}

TEST(Evaluator, HasTheAlgebraOfRelations) {
  EXPECT_TRUE(holds("wr | so in causal"));
  EXPECT_TRUE(holds("(wr & so) in so and nonempty (wr & so)"));
  EXPECT_TRUE(holds("empty (so \\ o)"));
  EXPECT_TRUE(holds("o^-1 = (Txn * Txn) \\ (o | id)"));
  EXPECT_TRUE(holds("o+ = o and o? = o^* and o^* = o | id"));
  EXPECT_TRUE(holds("o . o in o and o . o != o"));
  EXPECT_TRUE(holds("[W] . o . [R] in o"));
  EXPECT_TRUE(holds("T0 . o = Txn \\ T0 and o . T0 != Txn and empty o . T0"));
  EXPECT_TRUE(holds("max(o, W) = {t : t in W and no s: s in W and o(t,s)}"));
  EXPECT_TRUE(holds("empty max(so, Txn)"));
}

TEST(Evaluator, HasTests) {
  EXPECT_TRUE(holds("acyclic o and irreflexive o and transitive o and total o"));
  EXPECT_FALSE(holds("acyclic o | o^-1"));
  EXPECT_FALSE(holds("total so"));
  EXPECT_TRUE(holds("total so on {t : some x: wr[x](t,t) or so(t,t) or t = T0}"));
  EXPECT_FALSE(holds("transitive wr | so"));
}

TEST(Evaluator, HasQuantifiersAndNumbers) {
  EXPECT_TRUE(holds("lone t: false and t = T0"));
  EXPECT_FALSE(holds("one t in Txn: t = t"));
  EXPECT_TRUE(holds("no t: o(t,t)"));
  EXPECT_TRUE(holds("all x; s, t in W(x): s != t => o(s,t) or o(t,s)"));
  EXPECT_TRUE(holds("let a = so | wr in a+ = causal"));
  EXPECT_TRUE(holds("true <=> not false"));
}

TEST(Evaluator, HasDefinitions) {
  EXPECT_TRUE(holds("hb = causal", "let rec hb : Txn * Txn = so | wr | hb . hb"));
  EXPECT_TRUE(holds("seen = wr . wr^-1 and (all x: seen[x] in seen)", "let seen[x] = wr[x] . wr[x]^-1") ==
              false);
  EXPECT_TRUE(holds("all x: seen[x] in seen", "let seen[x] = wr[x] . wr[x]^-1"));
  EXPECT_TRUE(holds("twice(o) = o . o", "let twice(r) = r . r"));
}

TEST(Evaluator, RestrictsTheHistoryToSomeTransactions) {
  EXPECT_TRUE(holds("within updating: all t: t = T0 or t in W"));
  EXPECT_FALSE(holds("all t: t = T0 or t in W"));
  EXPECT_TRUE(holds("within R: empty {s, t : s != T0 and so(s,t)}"));  // T1 is not there
  EXPECT_TRUE(holds("within T0: no t: t != T0"));
}

TEST(Evaluator, SaysWhatFailsAndWhere) {
  const auto library = library_of_text(
      "framework f { witness o : total order on Txn }\nlevel L in f: (all s, t: so(s,t) => o(t,s))", "test");
  const auto spec = library->find("f", "L");
  const FiniteHistory history = finite_history(example(), {1, 0, 2});
  const std::vector<Rows> none(1);
  const auto failure = Evaluator(history, none).why_not(*spec->formula);
  ASSERT_EQ(failure.where.size(), 2u);
  EXPECT_EQ(failure.where[0].first.name, "s");
  EXPECT_EQ(failure.part->kind, Node::Kind::Member);
}

TEST(Evaluator, EnumeratesWitnessesOfTheDeclaredKinds) {
  const FiniteHistory history = finite_history(example(), {1, 0, 2});
  const auto count = [&](const std::string& witnesses) {
    const auto library = library_of_text("framework f { " + witnesses + " }\nlevel L in f: true", "test");
    std::size_t seen = 0;
    EXPECT_TRUE(for_each_witness(*library->find("f", "L"), history, SIZE_MAX,
                                 [&](const auto&) { return ++seen, true; }));
    return seen;
  };
  EXPECT_EQ(count("witness o : total order on Txn"), 6u);  // T0 is first
  EXPECT_EQ(count("witness o : total order on R"), 2u);
  EXPECT_EQ(count("witness o[x] : total order on W(x)"), 1u);
  EXPECT_EQ(count("witness o : order on Txn"), 19u);  // of three elements
  EXPECT_EQ(count("witness o : total order on Txn witness v : relation on Txn axiom v in o axiom so in v"),
            6u * 4u - 3u * 4u);
}

TEST(Evaluator, GivesUpWhenThereAreTooManyWitnesses) {
  const auto spec = load_specification("cerone:SI");
  EXPECT_EQ(allows_by_enumeration(*spec, example(), 2), std::nullopt);
  EXPECT_EQ(allows_by_enumeration(*load_specification("biswas:CC"), example()), false);
  EXPECT_EQ(allows_by_enumeration(*load_specification("biswas:RA"), example()), true);
}

}  // namespace
}  // namespace assay::spec
