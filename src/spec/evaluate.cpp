#include "spec/evaluate.h"

#include <algorithm>

#include "base/contract.h"

namespace assay::spec {

using NodeKind = Node::Kind;

std::vector<std::uint32_t> Evaluator::domain(const Variable& variable) {
  const auto& all = h_.universe[static_cast<std::size_t>(variable.sort)];
  if (variable.domain == nullptr) return all;
  std::vector<std::uint32_t> members;
  for (const Row& row : rows(*variable.domain)) members.push_back(row[0]);
  return members;
}

bool Evaluator::for_all(std::span<const Variable> variables, const std::function<bool()>& body) {
  if (variables.empty()) return body();
  for (const std::uint32_t value : domain(variables[0])) {
    bound_[variables[0].number] = value;
    if (!for_all(variables.subspan(1), body)) return false;
  }
  return true;
}

bool Evaluator::holds(const Node& node) {
  const auto kid = [&](std::size_t i) { return holds(*node.kids[i]); };
  switch (node.kind) {
    case NodeKind::True: return true;
    case NodeKind::False: return false;
    case NodeKind::Not: return !kid(0);
    case NodeKind::And: return kid(0) && kid(1);
    case NodeKind::Or: return kid(0) || kid(1);
    case NodeKind::Implies: return !kid(0) || kid(1);
    case NodeKind::Iff: return kid(0) == kid(1);
    case NodeKind::All: return for_all(node.bound, [&] { return kid(0); });
    case NodeKind::Some: return !for_all(node.bound, [&] { return !kid(0); });
    case NodeKind::Lone:
    case NodeKind::One: {
      std::size_t found = 0;
      for_all(node.bound, [&] { return found += kid(0) ? 1 : 0, true; });
      return found == 1 || (found == 0 && node.kind == NodeKind::Lone);
    }
    case NodeKind::In: return std::ranges::includes(rows(*node.kids[1]), rows(*node.kids[0]));
    case NodeKind::Equal: return rows(*node.kids[0]) == rows(*node.kids[1]);
    case NodeKind::Member: {
      Rows tuples{Row{}};
      for (std::size_t i = 1; i < node.kids.size(); ++i) {
        Rows longer;
        for (const Row& row : tuples)
          for (const Row& last : rows(*node.kids[i])) {
            Row extended = row;
            extended.push_back(last[0]);
            longer.insert(std::move(extended));
          }
        tuples = std::move(longer);
      }
      return std::ranges::includes(rows(*node.kids[0]), tuples);
    }
    case NodeKind::Empty: return rows(*node.kids[0]).empty();
    case NodeKind::Acyclic:
    case NodeKind::Irreflexive: {
      const Rows relation =
          node.kind == NodeKind::Acyclic ? closure(rows(*node.kids[0])) : rows(*node.kids[0]);
      return std::ranges::none_of(relation, [](const Row& row) { return row[0] == row[1]; });
    }
    case NodeKind::Transitive: {
      const Rows relation = rows(*node.kids[0]);
      return std::ranges::includes(relation, join(relation, relation));
    }
    case NodeKind::Total: {
      const Rows relation = rows(*node.kids[0]), members = rows(*node.kids[1]);
      for (const Row& a : members)
        for (const Row& b : members)
          if (a != b && !relation.contains({a[0], b[0]}) && !relation.contains({b[0], a[0]})) return false;
      return true;
    }
    case NodeKind::Within: return within(node);
    default: break;
  }
  ASSAY_REQUIRE(node.is_formula());
  return false;
}

Rows Evaluator::rows(const Node& node) {
  if (!node.free.empty() || node.uses_fixpoint || node.kids.empty()) return compute(node);
  const auto known = closed_.find(&node);
  return known != closed_.end() ? known->second : closed_.emplace(&node, compute(node)).first->second;
}

Rows Evaluator::compute(const Node& node) {
  const auto kid = [&](std::size_t i) { return rows(*node.kids[i]); };
  Rows result;
  switch (node.kind) {
    case NodeKind::Base: return h_.base[node.number];
    case NodeKind::Label: {
      const auto found = h_.labels.find({node.name, node.columns[0]});
      return found != h_.labels.end() ? found->second : Rows();
    }
    case NodeKind::Witness: return witnesses_[node.number];
    case NodeKind::Universe:
      for (const std::uint32_t e : h_.universe[node.number]) result.insert({e});
      return result;
    case NodeKind::Identity:
      for (const std::uint32_t e : h_.universe[static_cast<std::size_t>(node.columns[0])])
        result.insert({e, e});
      return result;
    case NodeKind::Initial: return Rows{Row{0}};
    case NodeKind::Variable: return Rows{Row{bound_.at(node.number)}};
    case NodeKind::FixpointVariable: return fixpoints_.at(node.number);
    case NodeKind::Union:
      result = kid(0);
      result.merge(kid(1));
      return result;
    case NodeKind::Difference:
      result = kid(0);
      for (const Row& row : kid(1)) result.erase(row);
      return result;
    case NodeKind::Intersection: {
      const Rows right = kid(1);
      for (const Row& row : kid(0))
        if (right.contains(row)) result.insert(row);
      return result;
    }
    case NodeKind::Product: {
      const Rows right = kid(1);
      for (const Row& a : kid(0))
        for (const Row& b : right) {
          Row row = a;
          row.insert(row.end(), b.begin(), b.end());
          result.insert(std::move(row));
        }
      return result;
    }
    case NodeKind::Join: return join(kid(0), kid(1));
    case NodeKind::Inverse:
      for (const Row& row : kid(0)) result.insert({row[1], row[0]});
      return result;
    case NodeKind::Closure: return closure(kid(0));
    case NodeKind::IdentityOn:
      for (const Row& row : kid(0)) result.insert({row[0], row[0]});
      return result;
    case NodeKind::Comprehension:
    case NodeKind::UnionOver: return comprehension(node);
    case NodeKind::Max: {  // the element of the set that all others of it precede
      const Rows order = kid(0), members = kid(1);
      for (const Row& m : members) {
        const auto precedes = [&](const Row& other) {
          return other == m || order.contains({other[0], m[0]});
        };
        if (std::ranges::all_of(members, precedes)) result.insert(m);
      }
      return result;
    }
    case NodeKind::Fixpoint: return fixpoint(node);
    default: break;
  }
  ASSAY_REQUIRE(!node.is_formula());
  return result;
}

Rows Evaluator::join(const Rows& left, const Rows& right) {
  Rows result;
  for (const Row& a : left)
    for (const Row& b : right) {
      if (a.back() != b.front()) continue;
      Row row(a.begin(), a.end() - 1);
      row.insert(row.end(), b.begin() + 1, b.end());
      result.insert(std::move(row));
    }
  return result;
}

Rows Evaluator::closure(Rows rows) {
  for (bool grew = true; grew;) {
    Rows longer = rows;
    for (const Row& a : rows)
      for (const Row& b : rows)
        if (a[1] == b[0]) longer.insert({a[0], b[1]});
    grew = longer.size() > rows.size();
    rows = std::move(longer);
  }
  return rows;
}

Rows Evaluator::comprehension(const Node& node) {
  Rows result;
  for_all(node.bound, [&] {
    if (node.kind == NodeKind::UnionOver) {
      result.merge(rows(*node.kids[0]));
    } else if (holds(*node.kids[0])) {
      Row row;
      for (const Variable& variable : node.bound) row.push_back(bound_.at(variable.number));
      result.insert(std::move(row));
    }
    return true;
  });
  return result;
}

Rows Evaluator::fixpoint(const Node& node) {
  Rows& current = fixpoints_[node.number];
  current.clear();
  while (true) {
    Rows next = rows(*node.kids[0]);
    if (next == current) break;
    current = std::move(next);
  }
  return current;
}

// The same formula about the history in which only these transactions, and the initial one, happened.
bool Evaluator::within(const Node& node) {
  Rows kept = rows(*node.kids[0]);
  kept.insert(Row{0});
  FiniteHistory part = h_;
  const auto is_kept = [&](std::uint32_t t) { return kept.contains(Row{t}); };
  const auto txn_of = [&](std::uint32_t op) { return h_[Base::OpTxn].lower_bound({op, 0})->at(1); };
  std::erase_if(part.universe[static_cast<std::size_t>(Sort::Txn)],
                [&](std::uint32_t t) { return !is_kept(t); });
  std::erase_if(part.universe[static_cast<std::size_t>(Sort::Op)],
                [&](std::uint32_t op) { return !is_kept(txn_of(op)); });
  const auto drop = [&](Base base, std::function<bool(const Row&)> is_left) {
    std::erase_if(part[base], [&](const Row& row) { return !is_left(row); });
  };
  for (const Base base : {Base::Reads, Base::Writes}) drop(base, [&](const Row& r) { return is_kept(r[0]); });
  for (const Base base : {Base::Readers, Base::Writers, Base::OpTxn})
    drop(base, [&](const Row& r) { return is_kept(r[1]); });
  for (const Base base : {Base::So, Base::Rt, Base::Ended})
    drop(base, [&](const Row& r) { return is_kept(r[0]) && is_kept(r[1]); });
  for (auto& [label, rows] : part.labels)
    if (label.sort == Sort::Txn) std::erase_if(rows, [&](const Row& row) { return !is_kept(row[0]); });
  drop(Base::Wr, [&](const Row& r) { return is_kept(r[1]) && is_kept(r[2]); });
  drop(Base::Po, [&](const Row& r) { return is_kept(txn_of(r[0])); });
  drop(Base::OpObj, [&](const Row& r) { return is_kept(txn_of(r[0])); });
  drop(Base::Rf, [&](const Row& r) { return is_kept(r[0]) && is_kept(txn_of(r[1])); });
  std::vector<Rows> witnesses(witnesses_.begin(), witnesses_.end());
  for (Rows& witness : witnesses)
    std::erase_if(witness,
                  [&](const Row& r) { return !is_kept(r[r.size() - 2]) || !is_kept(r[r.size() - 1]); });
  Evaluator inner(part, witnesses);
  inner.bound_ = bound_;
  inner.fixpoints_ = fixpoints_;
  return inner.holds(*node.kids[1]);
}

Evaluator::Failure Evaluator::why_not(const Node& formula) {
  Failure failure{{}, &formula};
  const Node* part = &formula;
  while (true) {
    failure.part = part;
    if (part->kind == NodeKind::And) {
      part = holds(*part->kids[0]) ? part->kids[1] : part->kids[0];
    } else if (part->kind == NodeKind::Implies) {
      part = part->kids[1];
    } else if (part->kind == NodeKind::All ||
               (part->kind == NodeKind::Not && part->kids[0]->kind == NodeKind::Some)) {
      const bool universal = part->kind == NodeKind::All;
      const Node& quantifier = universal ? *part : *part->kids[0];
      for_all(quantifier.bound, [&] { return holds(*quantifier.kids[0]) == universal; });
      for (const Variable& variable : quantifier.bound)
        failure.where.emplace_back(variable, bound_.at(variable.number));
      if (!universal) return failure;
      part = quantifier.kids[0];
    } else {
      return failure;
    }
  }
}

}  // namespace assay::spec
