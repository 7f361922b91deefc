// The theory of this project: each literal switches on a set of edges, and the edges that are on must not
// form a cycle.
//
// Facts are edges that are always on; they are numbered first. A conflict is a cycle with as few
// switched edges as possible, given as the numbers of its edges in order, and its literals are those that
// switched them on. A variable's preferred value is the one that agrees with the order at hand, or what
// define() was told.
#pragma once

#include <optional>
#include <span>

#include "graph/dynamic_order.h"
#include "solver/theory.h"

namespace assay {

class Acyclicity : public Theory {
 public:
  // `order` agrees with the facts.
  Acyclicity(std::size_t nodes, std::span<const Edge> facts, std::vector<std::uint32_t> order)
      : facts_(facts), order_(nodes, facts, std::move(order)) {}

  // What the variable's literals switch on; numbered from the return value, first those of the positive one.
  // The positive literal is preferred when the first of its edges agrees with the order, if it is not said
  // which is.
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
  // Of an edge that is not a fact.
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
