// What a specification says, in logic, for witnesses that are given.
#pragma once

#include <optional>

#include "base/result.h"
#include "prove/logic.h"

namespace assay::prove {

class Meaning {
 public:
  // `witnesses` in the order of their declaration; an indexed one takes the object first. They are cut to
  // their domains.
  Meaning(Logic& logic, const spec::Specification& spec, std::vector<Relation> witnesses)
      : logic_(logic), spec_(spec), witnesses_(std::move(witnesses)) {}

  z3::expr formula(const spec::Node& node);
  Relation relation(const spec::Node& node);  // without free variables
  // Whether the transaction is one that the witness relates; `index` is the object of an indexed one.
  z3::expr in_domain(const spec::WitnessSpec& witness, const z3::expr& transaction, const z3::expr* index);
  Relation witness(std::size_t number);  // cut to its domain

  // Relations without free variables of which the node says that they have no cycle.
  std::vector<Relation> acyclic_relations(const spec::Node& node);
  // In a finite set, a total order has a greatest element. Says so of every `max` of an order among `orders`.
  void require_greatest_elements(const spec::Node& node, const std::vector<std::size_t>& orders);

  // What cannot be said in logic: values, and `let rec`.
  static Result<void> check(const spec::Specification& spec);

 private:
  using Node = spec::Node;
  using Kind = Node::Kind;
  z3::expr holds(const Node& node);
  z3::expr contains(const Node& relation, const Elements& row);
  z3::expr base(const Node& node, const Elements& row);
  z3::expr comprehension(const Node& node, const Elements& row);
  z3::expr closure(const Node& node, const Elements& row);
  z3::expr is_kept(std::size_t set, const z3::expr& transaction);
  std::string witness_key(std::size_t number) const;
  z3::expr is_there(spec::Sort sort, const z3::expr& element);
  z3::expr member(const Node& node);
  std::optional<z3::expr> element(const Node& node) const;
  std::optional<z3::expr> is_greatest(const Node& equal);
  z3::expr counted(const Node& node);
  z3::expr acyclic(const Node& relation);
  // Quantifies over the variables; `universal` says how domains are joined to the body.
  z3::expr quantified(const std::vector<spec::Variable>& variables, bool universal,
                      const std::function<z3::expr()>& body);
  Elements row_of(const Node& relation);
  std::string key(const Node& node, const std::map<std::size_t, std::string>& variables) const;

  Logic& logic_;
  const spec::Specification& spec_;
  std::vector<Relation> witnesses_;
  std::map<std::size_t, z3::expr> bound_;
  std::vector<const Node*> within_;  // sets of transactions outside of which nothing happened
};

}  // namespace assay::prove
