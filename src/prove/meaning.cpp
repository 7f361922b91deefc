#include "prove/meaning.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/contract.h"

namespace assay::prove {

using spec::Base;
using spec::Sort;
using spec::Variable;

Result<void> Meaning::check(const spec::Specification& spec) {
  if (spec.uses_values)
    return error(spec.name + " speaks of values",
                 "proofs for all sizes know who wrote what was read, not its value");
  for (const Node& node : *spec.nodes)
    if (node.kind == Kind::Fixpoint)
      return error(spec.name + " uses let rec", "proofs for all sizes know closures (r+) only");
  return {};
}

z3::expr Meaning::formula(const Node& node) { return holds(node); }

Relation Meaning::relation(const Node& node) {
  return {[this, &node](const Elements& row) { return contains(node, row); }, key(node, {})};
}

// Whether the element is part of the history that is spoken of.
z3::expr Meaning::is_there(Sort sort, const z3::expr& element) {
  std::vector<z3::expr> parts;
  if (sort == Sort::Op) parts.push_back(logic_.is_read(element));
  for (std::size_t i = 0; i < within_.size(); ++i) {
    if (sort == Sort::Txn) parts.push_back(is_kept(i, element));
    if (sort != Sort::Op) continue;
    const z3::expr t = logic_.element(Sort::Txn);
    parts.push_back(logic_.some({t}, logic_.base(Base::OpTxn, {element, t}) && is_kept(i, t)));
  }
  return logic_.both(parts);
}

// Each set is understood where it stands: within those around it.
z3::expr Meaning::is_kept(std::size_t set, const z3::expr& transaction) {
  const std::vector<const Node*> all = within_;
  within_.resize(set);
  const z3::expr result = transaction == logic_.initial() || contains(*all[set], {transaction});
  within_ = all;
  return result;
}

z3::expr Meaning::quantified(const std::vector<Variable>& variables, bool universal,
                             const std::function<z3::expr()>& body) {
  Elements bound;
  std::vector<z3::expr> conditions;
  std::map<std::size_t, z3::expr> before = bound_;
  for (const Variable& variable : variables) {
    const z3::expr element = logic_.element(variable.sort);
    if (variable.domain != nullptr) conditions.push_back(contains(*variable.domain, {element}));
    conditions.push_back(is_there(variable.sort, element));
    bound_.insert_or_assign(variable.number, element);
    bound.push_back(element);
  }
  const z3::expr condition = logic_.both(conditions), inner = body();
  bound_ = std::move(before);
  return universal ? logic_.all(bound, z3::implies(condition, inner))
                   : logic_.some(bound, condition && inner);
}

Elements Meaning::row_of(const Node& relation) {
  Elements row;
  for (const Sort sort : relation.columns) row.push_back(logic_.element(sort));
  return row;
}

z3::expr Meaning::holds(const Node& node) {
  const auto kid = [&](std::size_t i) { return holds(*node.kids[i]); };
  const auto pair = [&](const z3::expr& a, const z3::expr& b) { return contains(*node.kids[0], {a, b}); };
  switch (node.kind) {
    case Kind::True: return logic_.context().bool_val(true);
    case Kind::False: return logic_.context().bool_val(false);
    case Kind::Not: return !kid(0);
    case Kind::And: return kid(0) && kid(1);
    case Kind::Or: return kid(0) || kid(1);
    case Kind::Implies: return z3::implies(kid(0), kid(1));
    case Kind::Iff: return kid(0) == kid(1);
    case Kind::All: return quantified(node.bound, true, [&] { return kid(0); });
    case Kind::Some: return quantified(node.bound, false, [&] { return kid(0); });
    case Kind::Lone:
    case Kind::One: return counted(node);
    case Kind::In:
    case Kind::Equal: {
      // Of an element, without a quantifier.
      const auto left_element = element(*node.kids[0]), right_element = element(*node.kids[1]);
      if (left_element && node.kind == Kind::In) return contains(*node.kids[1], {*left_element});
      if (left_element && right_element) return *left_element == *right_element;
      if (const auto greatest = is_greatest(node)) return *greatest;
      const Elements row = row_of(*node.kids[0]);
      const z3::expr left = contains(*node.kids[0], row), right = contains(*node.kids[1], row);
      return logic_.all(row, node.kind == Kind::In ? z3::implies(left, right) : left == right);
    }
    case Kind::Member: return member(node);
    case Kind::Empty: {
      const Elements row = row_of(*node.kids[0]);
      return logic_.all(row, !contains(*node.kids[0], row));
    }
    case Kind::Acyclic: return acyclic(*node.kids[0]);
    case Kind::Irreflexive: {
      const z3::expr a = logic_.element(node.kids[0]->columns[0]);
      return logic_.all({a}, !pair(a, a));
    }
    case Kind::Transitive: {
      const Sort sort = node.kids[0]->columns[0];
      const z3::expr a = logic_.element(sort), b = logic_.element(sort), c = logic_.element(sort);
      return logic_.all({a, b, c}, z3::implies(pair(a, b) && pair(b, c), pair(a, c)));
    }
    case Kind::Total: {
      const Sort sort = node.kids[0]->columns[0];
      const z3::expr a = logic_.element(sort), b = logic_.element(sort);
      const z3::expr members = contains(*node.kids[1], {a}) && contains(*node.kids[1], {b}) && a != b;
      return logic_.all({a, b}, z3::implies(members, pair(a, b) || pair(b, a)));
    }
    case Kind::Within: {
      within_.push_back(node.kids[0]);
      const z3::expr result = kid(1);
      within_.pop_back();
      return result;
    }
    default: break;
  }
  ASSAY_REQUIRE(node.is_formula());
  return logic_.context().bool_val(false);
}

// What a variable or T0 stands for.
std::optional<z3::expr> Meaning::element(const Node& node) const {
  if (node.kind == Kind::Variable) return bound_.at(node.number);
  if (node.kind == Kind::Initial) return logic_.initial();
  return std::nullopt;
}

// `t = max(order, S)`: a total order has no second greatest element, so it need not be said that t is the
// only one.
std::optional<z3::expr> Meaning::is_greatest(const Node& node) {
  if (node.kind != Kind::Equal) return std::nullopt;
  for (const std::size_t side : {0u, 1u}) {
    const Node& max = *node.kids[1 - side];
    const auto candidate = element(*node.kids[side]);
    if (!candidate || max.kind != Kind::Max || max.kids[0]->kind != Kind::Witness || !within_.empty())
      continue;
    const spec::WitnessSpec& order = spec_.witnesses[max.kids[0]->number];
    if (order.kind != spec::WitnessSpec::Kind::TotalOrder || order.indexed ||
        order.domain->kind != Kind::Universe)
      continue;
    return contains(max, {*candidate});
  }
  return std::nullopt;
}

// Two of them are one; for `one` there is one.
z3::expr Meaning::counted(const Node& node) {
  const z3::expr lone = quantified(node.bound, true, [&] {
    const auto first = bound_;
    const z3::expr holds_first = holds(*node.kids[0]);
    return quantified(node.bound, true, [&] {
      std::vector<z3::expr> equal;
      for (const Variable& variable : node.bound)
        equal.push_back(bound_.at(variable.number) == first.at(variable.number));
      return z3::implies(holds_first && holds(*node.kids[0]), logic_.both(equal));
    });
  });
  if (node.kind == Kind::Lone) return lone;
  return lone && quantified(node.bound, false, [&] { return holds(*node.kids[0]); });
}

// Of the elements that the arguments stand for; a `max` may stand for none.
z3::expr Meaning::member(const Node& node) {
  Elements row, bound;
  std::vector<z3::expr> conditions;
  for (std::size_t i = 1; i < node.kids.size(); ++i) {
    const Node& argument = *node.kids[i];
    if (const auto known = element(argument)) {
      row.push_back(*known);
    } else {
      row.push_back(bound.emplace_back(logic_.element(argument.columns[0])));
      conditions.push_back(contains(argument, {row.back()}));
    }
  }
  const z3::expr is_in = contains(*node.kids[0], row);
  return bound.empty() ? is_in : logic_.all(bound, z3::implies(logic_.both(conditions), is_in));
}

z3::expr Meaning::contains(const Node& node, const Elements& row) {
  const auto kid = [&](std::size_t i) { return contains(*node.kids[i], row); };
  switch (node.kind) {
    case Kind::Base: return base(node, row);
    case Kind::Witness: {
      z3::expr result = witness(node.number).holds(row);
      for (std::size_t i = row.size() - 2; i < row.size(); ++i)
        if (!within_.empty()) result = result && is_there(Sort::Txn, row[i]);
      return result;
    }
    case Kind::Label: {
      const z3::expr has = logic_.predicate("label." + node.name, {node.columns[0]}).holds(row) &&
                           is_there(node.columns[0], row[0]);
      return node.columns[0] == Sort::Txn ? has && row[0] != logic_.initial() : has;
    }
    case Kind::Universe: return is_there(static_cast<Sort>(node.number), row[0]);
    case Kind::Identity: return row[0] == row[1] && is_there(node.columns[0], row[0]);
    case Kind::Initial: return row[0] == logic_.initial();
    case Kind::Variable: return row[0] == bound_.at(node.number);
    case Kind::Union: return kid(0) || kid(1);
    case Kind::Difference: return kid(0) && !kid(1);
    case Kind::Intersection: return kid(0) && kid(1);
    case Kind::Product: {
      const auto middle = row.begin() + static_cast<std::ptrdiff_t>(node.kids[0]->columns.size());
      return contains(*node.kids[0], Elements(row.begin(), middle)) &&
             contains(*node.kids[1], Elements(middle, row.end()));
    }
    case Kind::Join: {
      const std::size_t left = node.kids[0]->columns.size() - 1;
      const Sort sort = node.kids[0]->columns.back();
      // An element is joined by putting it in, which keeps formulas small.
      const auto first = element(*node.kids[0]), last = element(*node.kids[1]);
      const z3::expr middle = first ? *first : last ? *last : logic_.element(sort);
      Elements l(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(left)), r{middle};
      r.insert(r.end(), row.begin() + static_cast<std::ptrdiff_t>(left), row.end());
      l.push_back(middle);
      if (first) return contains(*node.kids[1], r);
      if (last) return contains(*node.kids[0], l);
      return logic_.some({middle}, contains(*node.kids[0], l) && contains(*node.kids[1], r));
    }
    case Kind::Inverse: return contains(*node.kids[0], {row[1], row[0]});
    case Kind::Closure: return closure(node, row);
    case Kind::IdentityOn: return row[0] == row[1] && contains(*node.kids[0], {row[0]});
    case Kind::Comprehension: return comprehension(node, row);
    case Kind::UnionOver: return quantified(node.bound, false, [&] { return kid(0); });
    case Kind::Max: {
      const z3::expr other = logic_.element(node.columns[0]);
      return contains(*node.kids[1], row) &&
             logic_.all({other}, z3::implies(contains(*node.kids[1], {other}),
                                             other == row[0] || contains(*node.kids[0], {other, row[0]})));
    }
    default: break;
  }
  ASSAY_REQUIRE(!node.is_formula());
  return logic_.context().bool_val(false);
}

z3::expr Meaning::base(const Node& node, const Elements& row) {
  z3::expr result = logic_.base(static_cast<Base>(node.number), row);
  if (within_.empty()) return result;
  for (std::size_t i = 0; i < row.size(); ++i) result = result && is_there(node.columns[i], row[i]);
  return result;
}

z3::expr Meaning::comprehension(const Node& node, const Elements& row) {
  const auto before = bound_;
  std::vector<z3::expr> parts;
  for (std::size_t i = 0; i < node.bound.size(); ++i) {
    const Variable& variable = node.bound[i];
    if (variable.domain != nullptr) parts.push_back(contains(*variable.domain, {row[i]}));
    parts.push_back(is_there(variable.sort, row[i]));
    bound_.insert_or_assign(variable.number, row[i]);
  }
  parts.push_back(holds(*node.kids[0]));
  bound_ = before;
  return logic_.both(parts);
}

z3::expr Meaning::closure(const Node& node, const Elements& row) {
  const Node& step = *node.kids[0];
  // Parameters are the variables that the step depends on, or a set of transactions around it.
  std::set<std::size_t> free(step.free.begin(), step.free.end());
  for (const Node* set : within_) free.insert(set->free.begin(), set->free.end());
  Elements actual;
  std::map<std::size_t, std::string> names;
  for (const std::size_t number : free) {
    names[number] = fmt::format("parameter{}", actual.size());
    actual.push_back(bound_.at(number));
  }
  std::string name = key(step, names);
  for (const Node* set : within_) name += " within " + key(*set, names);
  const auto make = [&, within = within_](const Elements& formal) {
    std::map<std::size_t, z3::expr> bound;
    std::size_t next = 0;
    for (const std::size_t number : free) bound.emplace(number, formal[next++]);
    return Relation{[this, &step, bound, within](const Elements& pair) {
                      const auto before = std::exchange(bound_, bound);
                      const auto before_within = std::exchange(within_, within);
                      const z3::expr result = contains(step, pair);
                      bound_ = before;
                      within_ = before_within;
                      return result;
                    },
                    name};
  };
  return logic_.closure(name, make, actual, node.columns[0]).holds(row);
}

z3::expr Meaning::acyclic(const Node& relation) {
  Node closed;
  closed.kind = Kind::Closure;
  closed.kids = {&relation};
  closed.columns = relation.columns;
  closed.free = relation.free;
  const z3::expr a = logic_.element(relation.columns[0]);
  return logic_.all({a}, !closure(closed, {a, a}));
}

z3::expr Meaning::in_domain(const spec::WitnessSpec& witness, const z3::expr& transaction,
                            const z3::expr* index) {
  if (witness.domain->kind == Kind::Universe) return logic_.context().bool_val(true);
  const auto before = bound_;
  const auto within = std::exchange(within_, {});
  if (index != nullptr) bound_.insert_or_assign(witness.index, *index);
  const z3::expr result = contains(*witness.domain, {transaction});
  bound_ = before;
  within_ = within;
  return result;
}

Relation Meaning::witness(std::size_t number) {
  const spec::WitnessSpec& witness = spec_.witnesses[number];
  const Relation& given = witnesses_[number];
  if (witness.domain->kind == Kind::Universe) return given;
  return {[this, &witness, given](const Elements& row) {
            const z3::expr* index = witness.indexed ? &row[0] : nullptr;
            return given.holds(row) && in_domain(witness, row[row.size() - 2], index) &&
                   in_domain(witness, row.back(), index);
          },
          witness_key(number)};
}

std::string Meaning::witness_key(std::size_t number) const {
  const spec::WitnessSpec& witness = spec_.witnesses[number];
  if (witness.domain->kind == Kind::Universe) return witnesses_[number].key;
  return witnesses_[number].key + " on " + key(*witness.domain, {{witness.index, "index"}});
}

std::vector<Relation> Meaning::acyclic_relations(const Node& node) {
  std::vector<Relation> found;
  if (node.kind == Kind::And)
    for (const Node* kid : node.kids)
      for (Relation& relation : acyclic_relations(*kid)) found.push_back(std::move(relation));
  // `no anomaly`, where the anomaly is a cycle.
  const Node* positive = &node;
  bool negated = false;
  while (positive->kind == Kind::Not) {
    positive = positive->kids[0];
    negated = !negated;
  }
  if (positive->kind == Kind::Acyclic && !negated && positive->kids[0]->columns[0] == Sort::Txn)
    found.push_back(relation(*positive->kids[0]));
  return found;
}

void Meaning::require_greatest_elements(const Node& node, const std::vector<std::size_t>& orders) {
  for (const Node* kid : node.kids) require_greatest_elements(*kid, orders);
  for (const Variable& variable : node.bound)
    if (variable.domain != nullptr) require_greatest_elements(*variable.domain, orders);
  if (node.kind != Kind::Max || node.kids[0]->kind != Kind::Witness) return;
  if (std::ranges::find(orders, node.kids[0]->number) == orders.end()) return;
  Elements variables;
  const auto before = bound_;
  std::map<std::size_t, Sort> sorts;
  const std::function<void(const Node&)> collect = [&](const Node& part) {
    if (part.kind == Kind::Variable) sorts[part.number] = part.columns[0];
    for (const Node* kid : part.kids) collect(*kid);
  };
  collect(node);
  for (const std::size_t number : node.free)
    if (!sorts.contains(number)) return;
  for (const std::size_t number : node.free)
    bound_.insert_or_assign(number, variables.emplace_back(logic_.element(sorts.at(number))));
  const z3::expr member = logic_.element(Sort::Txn), greatest = logic_.element(Sort::Txn);
  logic_.require(logic_.all(variables, z3::implies(logic_.some({member}, contains(*node.kids[1], {member})),
                                                   logic_.some({greatest}, contains(node, {greatest})))));
  bound_ = before;
}

// Equal for equal relations: kinds and numbers, variables by what they stand for, witnesses by what was
// given.
std::string Meaning::key(const Node& node, const std::map<std::size_t, std::string>& variables) const {
  if (node.kind == Kind::Witness) return witness_key(node.number);
  if (node.kind == Kind::Variable) {
    const auto found = variables.find(node.number);
    return found != variables.end() ? found->second : fmt::format("free{}", node.number);
  }
  if (node.kind == Kind::Label) return "label." + node.name;
  std::string text = fmt::format("{}.{}", static_cast<int>(node.kind), node.number);
  for (const Sort column : node.columns) text += name_of(column);
  auto inner = variables;
  for (const Variable& variable : node.bound) {
    text += fmt::format(" {}", static_cast<int>(variable.sort));
    if (variable.domain != nullptr) text += key(*variable.domain, inner);
    inner[variable.number] = fmt::format("bound{}", inner.size());
  }
  text += "(";
  for (const Node* kid : node.kids) text += key(*kid, inner) + ",";
  return text + ")";
}

}  // namespace assay::prove
