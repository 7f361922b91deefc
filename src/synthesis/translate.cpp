#include "synthesis/translate.h"

#include <algorithm>
#include <optional>

#include "base/contract.h"

namespace assay::synthesis {

using Kind = spec::Node::Kind;
using spec::Variable;

Translator::Translator(Circuit& circuit, const World& world, const spec::Specification& spec)
    : c_(circuit),
      w_(world),
      spec_(spec),
      bound_(spec.variables),
      tables_(spec.nodes->size()),
      literals_(spec.nodes->size()) {}

Lit Translator::level() {
  std::vector<Lit> parts;
  for (const spec::Condition& axiom : spec_.axioms) parts.push_back(formula(*axiom.formula));
  parts.push_back(formula(*spec_.formula));
  return c_.all(std::move(parts));
}

// The values of the variables that a node depends on, in one number; nothing when they do not fit.
std::optional<std::uint64_t> Translator::key(const Node& node) const {
  constexpr std::size_t kBits = 10;
  if (node.uses_fixpoint || node.free.size() * kBits > 60) return std::nullopt;
  std::uint64_t key = 0;
  for (const std::size_t variable : node.free) key = key << kBits | bound_[variable];
  return key;
}

Lit Translator::formula(const Node& node) {
  const bool costly = !node.bound.empty() || node.kind >= Kind::In;
  const auto known = costly && node.kind != Kind::Member ? key(node) : std::nullopt;
  if (!known) return translate(node);
  auto& table = literals_[node.place_in_nodes];
  if (const auto found = table.find(*known); found != table.end()) return found->second;
  const Lit lit = translate(node);
  literals_[node.place_in_nodes].emplace(*known, lit);
  return lit;
}

std::optional<std::size_t> Translator::element(const Node& node) const {
  if (node.kind == Kind::Variable) return bound_[node.number];
  if (node.kind == Kind::Initial) return 0;
  return std::nullopt;
}

Lit Translator::translate(const Node& node) {
  const auto kid = [&](std::size_t i) { return formula(*node.kids[i]); };
  switch (node.kind) {
    case Kind::True: return kTrue;
    case Kind::False: return kFalse;
    case Kind::Not: return !kid(0);
    case Kind::And: {
      const Lit first = kid(0);
      return first == kFalse ? kFalse : c_.both(first, kid(1));
    }
    case Kind::Or: {
      const Lit first = kid(0);
      return first == kTrue ? kTrue : c_.either(first, kid(1));
    }
    case Kind::Implies: {
      const Lit first = kid(0);
      return first == kFalse ? kTrue : c_.implies(first, kid(1));
    }
    case Kind::Iff: return c_.same(kid(0), kid(1));
    case Kind::All: return universal(node, *node.kids[0], false);
    case Kind::Some: return !universal(node, *node.kids[0], true);
    case Kind::Lone:
    case Kind::One: return counted(node);
    case Kind::Member: return member(node);
    case Kind::In: {
      const Table inner = relation(*node.kids[0]);
      return subset(inner, relation(*node.kids[1]));
    }
    case Kind::Equal: {
      const auto a = element(*node.kids[0]), b = element(*node.kids[1]);
      if (a && b) return constant(*a == *b);
      const Table left = relation(*node.kids[0]), right = relation(*node.kids[1]);
      return c_.both(subset(left, right), subset(right, left));
    }
    case Kind::Empty: return !c_.any(relation(*node.kids[0]).cells);
    case Kind::Acyclic:
    case Kind::Irreflexive: {
      const Table table =
          node.kind == Kind::Acyclic ? closure(relation(*node.kids[0])) : relation(*node.kids[0]);
      std::vector<Lit> loops;
      for (std::size_t i = 0; i < table.sizes[0]; ++i) loops.push_back(table.at(i, i));
      return !c_.any(std::move(loops));
    }
    case Kind::Transitive: {
      const Table table = relation(*node.kids[0]);
      return subset(join(table, table), table);
    }
    case Kind::Total: {
      const Table table = relation(*node.kids[0]), members = relation(*node.kids[1]);
      std::vector<Lit> parts;
      for (std::size_t i = 0; i < table.sizes[0]; ++i)
        for (std::size_t j = 0; j < i; ++j)
          parts.push_back(c_.any({!members.at(i), !members.at(j), table.at(i, j), table.at(j, i)}));
      return c_.all(std::move(parts));
    }
    case Kind::Within: return within(node);
    default: break;
  }
  ASSAY_REQUIRE(node.is_formula());
  return kFalse;
}

Lit Translator::member(const Node& node) {
  std::vector<std::size_t> at;
  for (std::size_t i = 1; i < node.kids.size(); ++i)
    if (const auto e = element(*node.kids[i])) at.push_back(*e);
  const Table& table = relation(*node.kids[0]);
  if (at.size() + 1 == node.kids.size()) {
    std::size_t cell = 0;
    for (std::size_t i = 0; i < at.size(); ++i) cell = cell * table.sizes[i] + at[i];
    return table.cells[cell];
  }
  // An argument that is no variable: every row of the product is in the relation.
  const Table outer = table;
  Table product({}, kTrue);
  for (std::size_t i = 1; i < node.kids.size(); ++i) {
    const Table last = relation(*node.kids[i]);
    Table longer;
    longer.sizes = product.sizes;
    longer.sizes.push_back(last.sizes[0]);
    for (const Lit a : product.cells)
      for (const Lit b : last.cells) longer.cells.push_back(c_.both(a, b));
    product = std::move(longer);
  }
  return subset(product, outer);
}

Lit Translator::subset(const Table& inner, const Table& outer) {
  std::vector<Lit> parts;
  for (std::size_t i = 0; i < inner.cells.size(); ++i)
    parts.push_back(c_.implies(inner.cells[i], outer.cells[i]));
  return c_.all(std::move(parts));
}

const Translator::Plan& Translator::plan(const Node& node, const Node& body, bool negated) {
  const auto [place, is_new] = plans_.try_emplace({&node, negated});
  Plan& plan = place->second;
  if (!is_new) return plan;
  plan.conditions.resize(node.bound.size());
  const bool implication = !negated && body.kind == Kind::Implies;
  plan.conclusion = negated ? nullptr : implication ? body.kids[1] : &body;
  if (!negated && !implication) return plan;
  std::vector<const Node*> open{negated ? &body : body.kids[0]};
  std::vector<const Node*> conditions;
  while (!open.empty()) {
    const Node* next = open.back();
    open.pop_back();
    if (next->kind == Kind::And) open.insert(open.end(), {next->kids[1], next->kids[0]});
    else conditions.push_back(next);
  }
  for (const Node* condition : conditions) {
    std::size_t depth = 0;
    for (std::size_t i = 0; i < node.bound.size(); ++i)
      if (std::ranges::binary_search(condition->free, node.bound[i].number)) depth = i;
    plan.conditions[depth].push_back(condition);
  }
  return plan;
}

// `all`, or with `negated` that the body never holds.
Lit Translator::universal(const Node& node, const Node& body, bool negated) {
  return unroll(node, plan(node, body, negated), 0);
}

Lit Translator::unroll(const Node& node, const Plan& plan, std::size_t depth) {
  if (depth == node.bound.size()) return plan.conclusion == nullptr ? kFalse : formula(*plan.conclusion);
  const Variable& variable = node.bound[depth];
  std::vector<Lit> parts;
  for (std::size_t value = 0; value < w_.size(variable.sort); ++value) {
    bound_[variable.number] = value;
    std::vector<Lit> unless{!domain(variable, value)};
    for (const Node* condition : plan.conditions[depth]) {
      if (unless.back() == kTrue) break;
      unless.push_back(!formula(*condition));
    }
    if (unless.back() == kTrue) continue;
    unless.push_back(unroll(node, plan, depth + 1));
    parts.push_back(c_.any(std::move(unless)));
  }
  return c_.all(std::move(parts));
}

Lit Translator::counted(const Node& node) {
  std::vector<Lit> found;
  for_each_binding(node.bound, kTrue,
                   [&](Lit guard) { found.push_back(c_.both(guard, formula(*node.kids[0]))); });
  std::vector<Lit> parts;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) parts.push_back(c_.either(!found[i], !found[j]));
  if (node.kind == Kind::One) parts.push_back(c_.any(found));
  return c_.all(std::move(parts));
}

// From nothing, as often as rows can be added: a gate does not show that nothing new was.
// The same formula in the world in which only these transactions, and the initial one, exist.
Lit Translator::within(const Node& node) {
  World part = w_;
  std::vector<Lit>& kept = part.exists[static_cast<std::size_t>(spec::Sort::Txn)];
  const Table& only = relation(*node.kids[0]);
  for (std::size_t t = 1; t < kept.size(); ++t) kept[t] = c_.both(kept[t], only.at(t));
  std::vector<Lit>& operations = part.exists[static_cast<std::size_t>(spec::Sort::Op)];
  for (std::size_t op = 0; op < operations.size(); ++op) {
    std::vector<Lit> is_kept;
    for (std::size_t t = 0; t < kept.size(); ++t)
      is_kept.push_back(c_.both(w_[spec::Base::OpTxn].at(op, t), kept[t]));
    operations[op] = c_.both(operations[op], c_.any(std::move(is_kept)));
  }
  const auto restrict_to_kept = [&](Table& table, const std::vector<spec::Sort>& columns) {
    for (std::size_t cell = 0; cell < table.cells.size(); ++cell) {
      std::vector<Lit> parts{table.cells[cell]};
      for (std::size_t i = columns.size(), rest = cell; i-- > 0; rest /= table.sizes[i])
        parts.push_back(part.exists[static_cast<std::size_t>(columns[i])][rest % table.sizes[i]]);
      table.cells[cell] = c_.all(std::move(parts));
    }
  };
  for (std::size_t base = 0; base < spec::kBases; ++base)
    restrict_to_kept(part.base[base], spec::columns_of(static_cast<spec::Base>(base)));
  for (auto& [label, table] : part.labels) restrict_to_kept(table, {label.sort});
  for (Table& witness : part.witnesses) {
    using enum spec::Sort;
    restrict_to_kept(witness, witness.sizes.size() == 3 ? std::vector{Obj, Txn, Txn} : std::vector{Txn, Txn});
  }
  Translator inner(c_, part, spec_);
  inner.bound_ = bound_;
  inner.fixpoints_ = fixpoints_;
  return inner.formula(*node.kids[1]);
}

}  // namespace assay::synthesis
