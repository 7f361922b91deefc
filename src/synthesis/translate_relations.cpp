// The part of Translator that makes tables of relations.
#include "base/contract.h"
#include "synthesis/translate.h"

namespace assay::synthesis {

using Kind = spec::Node::Kind;
using spec::Variable;

const Table& Translator::relation(const Node& node) {
  if (node.kind == Kind::Base) return w_.base[node.number];
  if (node.kind == Kind::Witness) return w_.witnesses[node.number];
  const auto known = key(node);
  if (!known) return uncached_[node.place_in_nodes] = compute(node);
  auto& table = tables_[node.place_in_nodes];
  if (const auto found = table.find(*known); found != table.end()) return found->second;
  Table computed = compute(node);
  return tables_[node.place_in_nodes].emplace(*known, std::move(computed)).first->second;
}

std::vector<std::size_t> Translator::sizes(const Node& node) const {
  std::vector<std::size_t> result;
  for (const spec::Sort sort : node.columns) result.push_back(w_.size(sort));
  return result;
}

Lit Translator::domain(const Variable& variable, std::size_t value) {
  const Lit exists = w_.exists[static_cast<std::size_t>(variable.sort)][value];
  return variable.domain == nullptr ? exists : c_.both(exists, relation(*variable.domain).at(value));
}

void Translator::for_each_binding(std::span<const Variable> variables, Lit guard,
                                  const std::function<void(Lit)>& visit) {
  if (guard == kFalse) return;
  if (variables.empty()) return visit(guard);
  for (std::size_t value = 0; value < w_.size(variables[0].sort); ++value) {
    bound_[variables[0].number] = value;
    for_each_binding(variables.subspan(1), c_.both(guard, domain(variables[0], value)), visit);
  }
}

Table Translator::compute(const Node& node) {
  Table result(sizes(node));
  const auto pairwise = [&](auto combine) {
    const Table left = relation(*node.kids[0]);
    const Table& right = relation(*node.kids[1]);
    for (std::size_t i = 0; i < left.cells.size(); ++i)
      result.cells[i] = combine(left.cells[i], right.cells[i]);
    return result;
  };
  switch (node.kind) {
    case Kind::Label: {
      const auto found = w_.labels.find({node.name, node.columns[0]});
      return found != w_.labels.end() ? found->second : Table(sizes(node));
    }
    case Kind::Universe: return result.cells = w_.exists[node.number], result;
    case Kind::Identity:
      for (std::size_t i = 0; i < result.sizes[0]; ++i)
        result.at(i, i) = w_.exists[static_cast<std::size_t>(node.columns[0])][i];
      return result;
    case Kind::Initial:
    case Kind::Variable: return result.at(*element(node)) = kTrue, result;
    case Kind::FixpointVariable: return fixpoints_.at(node.number);
    case Kind::Union: return pairwise([&](Lit a, Lit b) { return c_.either(a, b); });
    case Kind::Difference: return pairwise([&](Lit a, Lit b) { return c_.both(a, !b); });
    case Kind::Intersection: return pairwise([&](Lit a, Lit b) { return c_.both(a, b); });
    case Kind::Product: {
      const Table left = relation(*node.kids[0]), right = relation(*node.kids[1]);
      std::size_t cell = 0;
      for (const Lit a : left.cells)
        for (const Lit b : right.cells) result.cells[cell++] = c_.both(a, b);
      return result;
    }
    case Kind::Join: {
      const Table left = relation(*node.kids[0]);
      return join(left, relation(*node.kids[1]));
    }
    case Kind::Inverse: {
      const Table& inner = relation(*node.kids[0]);
      for (std::size_t i = 0; i < inner.sizes[0]; ++i)
        for (std::size_t j = 0; j < inner.sizes[1]; ++j) result.at(j, i) = inner.at(i, j);
      return result;
    }
    case Kind::Closure: return closure(relation(*node.kids[0]));
    case Kind::IdentityOn: {
      const Table& inner = relation(*node.kids[0]);
      for (std::size_t i = 0; i < inner.sizes[0]; ++i) result.at(i, i) = inner.at(i);
      return result;
    }
    case Kind::Comprehension:
    case Kind::UnionOver: return comprehension(node);
    case Kind::Max: {
      const Table order = relation(*node.kids[0]);
      return maximum(order, relation(*node.kids[1]));
    }
    case Kind::Fixpoint: return fixpoint(node);
    default: break;
  }
  ASSAY_REQUIRE(!node.is_formula());
  return result;
}

Table Translator::join(const Table& left, const Table& right) {
  const std::size_t middle = left.sizes.back();
  Table result;
  result.sizes.assign(left.sizes.begin(), left.sizes.end() - 1);
  result.sizes.insert(result.sizes.end(), right.sizes.begin() + 1, right.sizes.end());
  // Not by division: a history may have no objects, or no reads.
  std::size_t rows = 1, columns = 1;
  for (std::size_t i = 0; i + 1 < left.sizes.size(); ++i) rows *= left.sizes[i];
  for (std::size_t i = 1; i < right.sizes.size(); ++i) columns *= right.sizes[i];
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      std::vector<Lit> ways;
      for (std::size_t k = 0; k < middle; ++k) {
        const Lit a = left.cells[i * middle + k], b = right.cells[k * columns + j];
        if (a != kFalse && b != kFalse) ways.push_back(c_.both(a, b));
      }
      result.cells.push_back(c_.any(std::move(ways)));
    }
  return result;
}

Table Translator::closure(Table table) {
  for (std::size_t length = 1; length < table.sizes[0]; length *= 2) {
    const Table longer = join(table, table);
    bool grew = false;
    for (std::size_t i = 0; i < table.cells.size(); ++i) {
      const Lit either = c_.either(table.cells[i], longer.cells[i]);
      grew |= either != table.cells[i];
      table.cells[i] = either;
    }
    if (!grew) break;
  }
  return table;
}

Table Translator::comprehension(const Node& node) {
  Table result(sizes(node));
  for_each_binding(node.bound, kTrue, [&](Lit guard) {
    if (node.kind == Kind::UnionOver) {
      const Table& part = relation(*node.kids[0]);
      for (std::size_t i = 0; i < result.cells.size(); ++i)
        result.cells[i] = c_.either(result.cells[i], c_.both(guard, part.cells[i]));
      return;
    }
    std::size_t cell = 0;
    for (std::size_t i = 0; i < node.bound.size(); ++i)
      cell = cell * result.sizes[i] + bound_[node.bound[i].number];
    result.cells[cell] = c_.both(guard, formula(*node.kids[0]));
  });
  return result;
}

Table Translator::maximum(const Table& order, const Table& members) {
  Table result(members.sizes);
  for (std::size_t i = 0; i < members.sizes[0]; ++i) {
    std::vector<Lit> parts{members.at(i)};
    for (std::size_t j = 0; j < members.sizes[0]; ++j)
      if (j != i) parts.push_back(c_.implies(members.at(j), order.at(j, i)));
    result.at(i) = c_.all(std::move(parts));
  }
  return result;
}

Table Translator::fixpoint(const Node& node) {
  fixpoints_[node.number] = Table(sizes(node));
  const std::size_t most = fixpoints_[node.number].cells.size();
  for (std::size_t i = 0; i <= most; ++i) {
    Table next = relation(*node.kids[0]);
    if (next.cells == fixpoints_[node.number].cells) break;
    fixpoints_[node.number] = std::move(next);
  }
  return fixpoints_[node.number];
}

}  // namespace assay::synthesis
