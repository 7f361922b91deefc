// The search with a theory that never objects: plain satisfiability, against trying everything.
#include "solver/solver.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"

namespace assay {
namespace {

using Clauses = std::vector<std::vector<Lit>>;

class NoTheory : public Theory {
 public:
  bool assign(Lit literal, TheoryConflict&) override {
    taken_.push_back(literal);
    return true;
  }
  void unassign(Lit literal) override {
    EXPECT_EQ(taken_.back().code, literal.code) << "literals are taken back last in, first out";
    taken_.pop_back();
  }
  Lit preferred(Var var) const override { return Lit(var, true); }
  std::vector<Lit> taken_;
};

bool satisfies(const Clauses& clauses, std::uint32_t assignment) {
  for (const auto& clause : clauses) {
    bool any = false;
    for (const Lit l : clause) any |= ((assignment >> l.var()) & 1) == (l.positive() ? 1u : 0u);
    if (!any) return false;
  }
  return true;
}

Clauses random_clauses(Random& random, std::size_t variables) {
  Clauses clauses;
  for (std::size_t i = random.below(5 * variables) + 1; i > 0; --i) {
    std::vector<Lit> clause;
    for (std::size_t j = 1 + random.below(3); j > 0; --j) {
      const Lit l(static_cast<Var>(random.below(variables)), random.chance(0.5));
      bool there = false;
      for (const Lit k : clause) there |= k.var() == l.var();
      if (!there) clause.push_back(l);
    }
    clauses.push_back(clause);
  }
  return clauses;
}

// Whether the clause follows from its grounds by taking each in turn, as the derivation promises.
bool follows(const Derivations& steps, ClauseId id) {
  std::set<std::uint32_t> known;  // codes of literals that are true
  for (const Lit l : steps.literals(id)) known.insert((~l).code);
  for (const ClauseId ground : steps.grounds(id)) {
    if (ground >= id) return false;
    std::vector<Lit> left;
    for (const Lit l : steps.literals(ground))
      if (!known.contains((~l).code)) left.push_back(l);
    if (left.empty()) return true;
    if (left.size() > 1) return false;
    known.insert(left.front().code);
  }
  return false;
}

TEST(Solver, AgreesWithTryingEverythingAndDerivesWhatItLearns) {
  const SolverSettings settings[] = {
      {},
      {.seed = 1, .random_decisions = 0.5},
      {.contrary = true},
      {.seed = 2, .random_decisions = 0.1, .contrary = true, .restart_base = 2}};
  Random random(11);
  int satisfiable = 0, unsatisfiable = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::size_t variables = 1 + random.below(10);
    const Clauses clauses = random_clauses(random, variables);
    NoTheory theory;
    Solver solver(theory, settings[round % 4]);
    for (std::size_t v = 0; v < variables; ++v) solver.new_variable();
    for (const auto& clause : clauses) solver.add_clause(clause);
    const Answer answer = solver.solve([] { return false; }, [] { return false; });

    bool possible = false;
    for (std::uint32_t assignment = 0; assignment < (1u << variables); ++assignment)
      possible |= satisfies(clauses, assignment);
    ASSERT_EQ(answer == Answer::Satisfiable, possible);
    (possible ? satisfiable : unsatisfiable) += 1;
    if (possible) {
      EXPECT_EQ(theory.taken_.size(), variables);
      std::uint32_t model = 0;
      for (Var v = 0; v < variables; ++v) model |= solver.is_true(Lit(v, true)) ? 1u << v : 0u;
      EXPECT_TRUE(satisfies(clauses, model));
    } else {
      EXPECT_TRUE(solver.derivations().literals(solver.contradiction()).empty());
    }
    for (ClauseId id = 0; id < solver.derivations().size(); ++id) {
      const bool learned = solver.derivations().kind(id) == Derivations::Kind::Learned;
      ASSERT_TRUE(!learned || follows(solver.derivations(), id));
    }
  }
  EXPECT_GT(satisfiable, 500);
  EXPECT_GT(unsatisfiable, 500);
}

TEST(Solver, SolvesTheOneWithMorePigeonsThanHoles) {
  constexpr std::size_t kHoles = 6;
  NoTheory theory;
  Solver solver(theory);
  std::vector<std::vector<Var>> in(kHoles + 1);
  for (auto& pigeon : in)
    for (std::size_t hole = 0; hole < kHoles; ++hole) pigeon.push_back(solver.new_variable());
  for (const auto& pigeon : in) {
    std::vector<Lit> somewhere;
    for (const Var v : pigeon) somewhere.push_back(Lit(v, true));
    solver.add_clause(somewhere);
  }
  for (std::size_t hole = 0; hole < kHoles; ++hole)
    for (std::size_t a = 0; a <= kHoles; ++a)
      for (std::size_t b = a + 1; b <= kHoles; ++b)
        solver.add_clause(std::vector{Lit(in[a][hole], false), Lit(in[b][hole], false)});
  EXPECT_EQ(solver.solve([] { return false; }, [] { return false; }), Answer::Unsatisfiable);
  EXPECT_GT(solver.conflicts(), 100u);
}

TEST(Solver, GoesOnWithVariablesThatAreAddedWhenAllHaveAValue) {
  NoTheory theory;
  Solver solver(theory);
  solver.new_variable();
  int asked = 0;
  const auto complete = [&] {
    if (++asked > 3) return false;
    const Var v = solver.new_variable();
    solver.add_clause(std::vector{Lit(v, false), Lit(v - 1, false)});
    return true;
  };
  EXPECT_EQ(solver.solve(complete, [] { return false; }), Answer::Satisfiable);
  EXPECT_EQ(solver.variable_count(), 4u);
  for (Var v = 1; v < 4; ++v) EXPECT_FALSE(solver.is_true(Lit(v, true)) && solver.is_true(Lit(v - 1, true)));
}

// The values and order of the decisions for one variable after another that nothing constrains.
std::vector<Lit> decisions(const SolverSettings& settings) {
  NoTheory theory;
  Solver solver(theory, settings);
  for (int v = 0; v < 20; ++v) solver.new_variable();
  EXPECT_EQ(solver.solve([] { return false; }, [] { return false; }), Answer::Satisfiable);
  return theory.taken_;
}

TEST(Solver, PrefersWhatTheTheoryPrefersOrAtFirstTheContrary) {
  for (const Lit l : decisions({})) EXPECT_TRUE(l.positive());
  for (const Lit l : decisions({.contrary = true})) EXPECT_FALSE(l.positive());
}

TEST(Solver, DecidesByChanceInTheWayOfItsSeed) {
  const SolverSettings one{.seed = 1, .random_decisions = 0.5}, other{.seed = 2, .random_decisions = 0.5};
  EXPECT_EQ(decisions(one), decisions(one));
  EXPECT_NE(decisions(one), decisions(other));
  EXPECT_EQ(decisions({.seed = 1}), decisions({.seed = 2})) << "without chance the seed does not matter";
}

TEST(Solver, StopsWhenAsked) {
  NoTheory theory;
  Solver solver(theory);
  solver.new_variable();
  EXPECT_EQ(solver.solve([] { return true; }, [] { return true; }), Answer::Stopped);
}

// What was found when all was chosen may rest on none of the choices.
TEST(Solver, EndsWithAnEmptyLemmaAtAnyDepth) {
  NoTheory theory;
  Solver solver(theory);
  for (int i = 0; i < 3; ++i) solver.new_variable();
  const auto nothing_helps = [&] {
    EXPECT_EQ(theory.taken_.size(), 3u);
    solver.add_lemma(std::span<const Lit>(), std::span<const std::uint32_t>());
    EXPECT_TRUE(theory.taken_.empty());
    return true;
  };
  EXPECT_EQ(solver.solve(nothing_helps, [] { return false; }), Answer::Unsatisfiable);
}

}  // namespace
}  // namespace assay
