// The theory that the solver searches modulo: each literal activates a set of edges, and the active edges
// must not form a cycle.
//
// Facts are edges that are always active; they have the lowest numbers. A conflict is a cycle with as few
// activated (non-fact) edges as possible. Its reasons are the numbers of the edges of the cycle in order, its
// literals those that activated them.
#pragma once

#include <optional>
#include <span>

#include "graph/dynamic_order.h"
#include "solver/theory.h"

namespace assay {

class Acyclicity : public Theory {
 public:
  // `order` is topological for the facts.
  Acyclicity(std::size_t nodes, std::span<const Edge> facts, std::vector<std::uint32_t> order)
      : facts_(facts), order_(nodes, facts, std::move(order)) {}

  // Sets the edges that the variable's literals activate. Returns the number of the first edge; the others
  // follow, those of the positive literal first. Without `preferred`, a decision picks the positive literal
  // exactly when its first edge agrees with the current order.
  std::uint32_t define(Var var, std::span<const Edge> if_true, std::span<const Edge> if_false,
                       std::optional<bool> preferred = {});

  bool assign(Lit literal, TheoryConflict& conflict) override;
  void unassign(Lit literal) override;
  Lit preferred(Var var) const override;

  DynamicOrder& order() { return order_; }
  const DynamicOrder& order() const { return order_; }
  std::size_t fact_count() const { return facts_.size(); }
  Edge edge(std::uint32_t number) const {
    return number < facts_.size() ? facts_[number] : switched_[number - facts_.size()].edge;
  }
  // The literal that activates an edge that is not a fact.
  Lit literal(std::uint32_t number) const { return switched_[number - facts_.size()].literal; }

 private:
  struct Switched {
    Edge edge;
    Lit literal;
  };
  struct Range {
    std::uint32_t begin = 0, end = 0;
  };

  std::span<const Edge> facts_;
  DynamicOrder order_;
  std::vector<Switched> switched_;
  std::vector<Range> of_literal_;
  std::vector<std::optional<bool>> preferred_;  // by variable
};

}  // namespace assay
