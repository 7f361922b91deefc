// The seam: what the theory says about literals that switch on edges.
#include "solver/acyclicity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/random.h"
#include "solver/solver.h"

namespace assay {
namespace {

std::vector<std::uint32_t> counting(std::size_t n) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

bool is_cycle(const Acyclicity& theory, const std::vector<std::uint32_t>& edges) {
  for (std::size_t i = 0; i < edges.size(); ++i)
    if (theory.edge(edges[i]).to != theory.edge(edges[(i + 1) % edges.size()]).from) return false;
  return !edges.empty();
}

TEST(Acyclicity, ExplainsAConflictWithExactlyTheEdgesOfTheCycle) {
  const std::vector<Edge> facts{{0, 1}};
  Acyclicity theory(4, facts, counting(4));
  const std::vector<Edge> one_two{{1, 2}}, two_zero{{2, 0}}, unrelated{{2, 3}};
  EXPECT_EQ(theory.define(0, one_two, {}), 1u);
  theory.define(1, unrelated, {});
  theory.define(2, two_zero, {});
  TheoryConflict conflict;
  ASSERT_TRUE(theory.assign(Lit(0, true), conflict));
  ASSERT_TRUE(theory.assign(Lit(1, true), conflict));
  ASSERT_FALSE(theory.assign(Lit(2, true), conflict));
  EXPECT_EQ(conflict.reasons, (std::vector<std::uint32_t>{3, 0, 1}));
  EXPECT_EQ(conflict.literals, (std::vector<Lit>{Lit(2, true), Lit(0, true)}));
}

TEST(Acyclicity, TakesNothingInOfALiteralItObjectsTo) {
  Acyclicity theory(3, {}, counting(3));
  const std::vector<Edge> both{{0, 1}, {1, 2}, {2, 0}}, back{{1, 0}};
  theory.define(0, both, {});
  theory.define(1, back, {});
  TheoryConflict conflict;
  EXPECT_FALSE(theory.assign(Lit(0, true), conflict));
  EXPECT_EQ(theory.order().inserted(), 0u);
  EXPECT_TRUE(theory.assign(Lit(1, true), conflict));
}

TEST(Acyclicity, PrefersTheConflictWithTheFewestLiterals) {
  // From 0 to 3 either over two literals or over three facts: the facts explain more.
  const std::vector<Edge> facts{{0, 1}, {1, 2}, {2, 3}};
  Acyclicity theory(5, facts, counting(5));
  const std::vector<Edge> first{{0, 4}}, second{{4, 3}}, back{{3, 0}};
  theory.define(0, first, {});
  theory.define(1, second, {});
  theory.define(2, back, {});
  TheoryConflict conflict;
  ASSERT_TRUE(theory.assign(Lit(0, true), conflict));
  ASSERT_TRUE(theory.assign(Lit(1, true), conflict));
  ASSERT_FALSE(theory.assign(Lit(2, true), conflict));
  EXPECT_EQ(conflict.literals, (std::vector<Lit>{Lit(2, true)}));
}

TEST(Acyclicity, PrefersWhatTheOrderSays) {
  Acyclicity theory(3, {}, {2, 1, 0});
  const std::vector<Edge> up{{0, 1}}, down{{1, 0}};
  theory.define(0, up, down);
  theory.define(1, down, up);
  EXPECT_EQ(theory.preferred(0), Lit(0, false));
  EXPECT_EQ(theory.preferred(1), Lit(1, true));
}

TEST(Acyclicity, ConflictsAreCyclesOfWhatIsOnWhileLiteralsComeAndGo) {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    const std::size_t nodes = 3 + random.below(6);
    Acyclicity theory(nodes, {}, counting(nodes));
    const auto edges = [&] {
      std::vector<Edge> result;
      for (std::size_t i = 1 + random.below(3); i > 0; --i)
        result.push_back({static_cast<std::uint32_t>(random.below(nodes)),
                          static_cast<std::uint32_t>(random.below(nodes))});
      return result;
    };
    for (Var v = 0; v < 10; ++v) theory.define(v, edges(), edges());
    std::vector<Lit> on;
    for (int step = 0; step < 60; ++step) {
      if (!on.empty() && random.chance(0.3)) {
        theory.unassign(on.back());
        on.pop_back();
        continue;
      }
      const Lit l(static_cast<Var>(random.below(10)), random.chance(0.5));
      if (std::ranges::any_of(on, [&](Lit other) { return other.var() == l.var(); })) continue;
      TheoryConflict conflict;
      if (theory.assign(l, conflict)) {
        on.push_back(l);
        continue;
      }
      ASSERT_TRUE(is_cycle(theory, conflict.reasons));
      std::set<std::uint32_t> named;
      for (const std::uint32_t edge : conflict.reasons) named.insert(theory.literal(edge).code);
      std::set<std::uint32_t> literals;
      for (const Lit c : conflict.literals) {
        literals.insert(c.code);
        ASSERT_TRUE(c == l || std::ranges::find(on, c) != on.end()) << "every literal of a conflict is on";
      }
      ASSERT_EQ(named, literals);
      ASSERT_TRUE(literals.contains(l.code));
    }
  }
}

// Choices between two sets of edges, with and without a clause on top, against trying everything.
TEST(Acyclicity, SearchAgreesWithTryingEverything) {
  Random random(3);
  int satisfiable = 0, unsatisfiable = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::size_t nodes = 3 + random.below(5);
    const std::size_t variables = 2 + random.below(7);
    std::vector<std::vector<Edge>> sides(2 * variables);
    for (auto& side : sides)
      for (std::size_t i = 1 + random.below(3); i > 0; --i)
        side.push_back({static_cast<std::uint32_t>(random.below(nodes)),
                        static_cast<std::uint32_t>(random.below(nodes))});
    Acyclicity theory(nodes, {}, counting(nodes));
    Solver solver(theory);
    for (Var v = 0; v < variables; ++v) {
      solver.new_variable();
      theory.define(v, sides[2 * v], sides[2 * v + 1]);
    }
    if (random.chance(0.5))
      for (Var v = 0; v < variables; ++v) solver.probe(v);
    const Answer answer = solver.solve([] { return false; }, [] { return false; });

    bool possible = false;
    for (std::uint32_t assignment = 0; assignment < (1u << variables); ++assignment) {
      std::vector<Edge> on;
      for (Var v = 0; v < variables; ++v) {
        const auto& side = sides[2 * v + ((assignment >> v) & 1)];
        on.insert(on.end(), side.begin(), side.end());
      }
      possible |= topological_order(Digraph(nodes, on)).has_value();
    }
    ASSERT_EQ(answer == Answer::Satisfiable, possible);
    (possible ? satisfiable : unsatisfiable) += 1;
    if (!possible) continue;
    for (Var v = 0; v < variables; ++v)
      for (const Edge e : sides[2 * v + (solver.is_true(Lit(v, true)) ? 0 : 1)])
        EXPECT_TRUE(theory.order().before(e.from, e.to)) << "the order is the witness";
  }
  EXPECT_GT(satisfiable, 300);
  EXPECT_GT(unsatisfiable, 300);
}

}  // namespace
}  // namespace assay
