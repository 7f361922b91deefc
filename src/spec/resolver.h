// One specification being resolved: from Syntax in a Scope to Nodes. Used by resolve.cpp only.
#pragma once

#include <functional>
#include <span>

#include "spec/resolve.h"

namespace assay::spec {

// The first error ends the work; Library catches it.
struct Unresolvable {
  Error error;
};

class Resolver {
 public:
  const Node* formula(const Syntax& syntax, const Scope& scope);
  const Node* relation(const Syntax& syntax, const Scope& scope);
  const Node* definition(const Definition& definition, const Scope& scope, const Place& used_at);
  WitnessGuess guess(const Guess& guess, const Scope& scope);
  void check(const Let& definition, const Scope& scope) {
    let(definition, scope, {}, {}, definition.name.place);
  }
  void declare(const std::vector<Witness>& witnesses, const Scope& scope);
  // Sorts, free variables; then the nodes are final.
  void finish();

  std::vector<WitnessSpec>& witnesses() { return witnesses_; }
  std::size_t variables() const { return variables_; }
  bool uses(Sort sort) const;
  std::shared_ptr<std::deque<Node>> nodes() { return nodes_; }

 private:
  using Kind = Node::Kind;
  using SortRef = std::size_t;
  using Columns = std::vector<SortRef>;

  const Node* either(const Syntax& syntax, const Scope& scope);
  const Node* name(const Syntax& syntax, const Scope& scope);
  const Node* let(const Let& let, const Scope& scope, std::span<const Node* const> arguments,
                  std::span<const Node* const> indices, const Place& place);
  const Node* fixpoint(const Let& let, const Scope& scope, const Place& place);
  const Node* call(const Syntax& syntax, const Scope& scope);
  const Node* index(const Syntax& syntax, const Scope& scope);
  const Node* member(const Syntax& syntax, const Scope& scope);
  const Node* local(const Syntax& syntax, const Scope& scope);
  const Node* same_columns(Kind kind, const Syntax& syntax, const Scope& scope);
  const Node* comparison(Kind kind, const Syntax& syntax, const Scope& scope);
  const Node* product(const Syntax& syntax, const Scope& scope);
  const Node* join(const Syntax& syntax, const Scope& scope);
  const Node* join(const Node* left, const Node* right, const Place& place);
  const Node* on_pairs(const Syntax& syntax, const Scope& scope);
  const Node* identity_on(const Syntax& syntax, const Scope& scope);
  const Node* max(const Syntax& syntax, const Scope& scope);
  const Node* test(const Syntax& syntax, const Scope& scope);
  const Node* binding(const Syntax& syntax, const Scope& scope);
  const Node* witness(std::size_t number, const Place& place);
  const Node* base(std::size_t number, const Place& place);

  const Node* relation_of_pairs(const Syntax& syntax, const Scope& scope);
  const Node* set(const Syntax& syntax, const Scope& scope);
  const Node* set_of(const Syntax& syntax, const Scope& scope, SortRef sort);
  const Node* element(const Syntax& syntax, const Scope& scope);
  const Binding* find(const std::string& name, const Scope& scope) const;
  [[noreturn]] void unknown(const Syntax& syntax, const Scope& scope) const;

  Node& make(Kind kind, const Place& place, std::vector<const Node*> kids, Columns columns);
  const Node* formula_node(Kind kind, const Place& place, std::vector<const Node*> kids);
  const Columns& columns(const Node* node) const { return column_refs_.at(node); }
  std::size_t new_variable(SortRef sort) {
    variable_sorts_.push_back(sort);
    return variables_++;
  }

  SortRef fresh();
  SortRef of(Sort sort);
  SortRef root(SortRef ref) const;
  void unify(SortRef a, SortRef b, const Place& place);
  void unify(const Columns& a, const Columns& b, const Place& place);
  std::string describe(const Columns& columns) const;
  [[noreturn]] static void wrong(const Place& place, std::string what, std::string remedy = {}) {
    throw Unresolvable{error_at(place, std::move(what), std::move(remedy))};
  }

  std::shared_ptr<std::deque<Node>> nodes_ = std::make_shared<std::deque<Node>>();
  std::map<const Node*, Columns> column_refs_;
  std::vector<SortRef> parent_;
  std::vector<std::optional<Sort>> sort_;
  std::vector<SortRef> variable_sorts_;
  std::vector<WitnessSpec> witnesses_;
  std::size_t variables_ = 0, depth_ = 0;
};

}  // namespace assay::spec
