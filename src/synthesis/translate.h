// Formulas over a world to literals of a circuit: quantifiers unrolled, relations as tables.
//
// Conditions of a quantifier are put as far out as their variables allow, so that a condition that is false
// for a constant ends a whole branch. What does not change with the variables is computed once.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <unordered_map>

#include "spec/core.h"
#include "synthesis/relations.h"

namespace assay::synthesis {

class Translator {
 public:
  // Keeps references to both.
  Translator(Circuit& circuit, const World& world, const spec::Specification& spec);

  Lit formula(const spec::Node& node);
  const Table& relation(const spec::Node& node);
  void bind(std::size_t variable, std::size_t value) { bound_[variable] = value; }

  // Axioms and formula together.
  Lit level();

 private:
  using Node = spec::Node;
  struct Plan {  // of a quantifier: which conditions can be asked once a variable is bound
    std::vector<std::vector<const Node*>> conditions;
    const Node* conclusion;  // null: none of the conditions may hold together
  };

  Lit translate(const Node& node);
  Table compute(const Node& node);
  Lit universal(const Node& node, const Node& body, bool negated);
  Lit unroll(const Node& node, const Plan& plan, std::size_t depth);
  const Plan& plan(const Node& node, const Node& body, bool negated);
  Lit counted(const Node& node);
  Lit member(const Node& node);
  Lit subset(const Table& inner, const Table& outer);
  Lit within(const Node& node);
  Table closure(Table table);
  Table join(const Table& left, const Table& right);
  Table comprehension(const Node& node);
  Table maximum(const Table& order, const Table& members);
  Table fixpoint(const Node& node);
  Lit domain(const spec::Variable& variable, std::size_t value);
  void for_each_binding(std::span<const spec::Variable> variables, Lit guard,
                        const std::function<void(Lit)>& visit);
  std::optional<std::size_t> element(const Node& node) const;
  std::optional<std::uint64_t> key(const Node& node) const;
  std::vector<std::size_t> sizes(const Node& node) const;

  Circuit& c_;
  const World& w_;
  const spec::Specification& spec_;
  std::vector<std::size_t> bound_;
  std::map<std::size_t, Table> fixpoints_;
  std::vector<std::unordered_map<std::uint64_t, Table>> tables_;
  std::vector<std::unordered_map<std::uint64_t, Lit>> literals_;
  std::map<std::pair<const Node*, bool>, Plan> plans_;
  std::map<std::size_t, Table> uncached_;  // the last one of a node that depends on too much
};

}  // namespace assay::synthesis
