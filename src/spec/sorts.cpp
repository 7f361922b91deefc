// The part of Resolver that knows sorts: unification of columns, and what is computed once all are known.
#include <algorithm>

#include "spec/resolver.h"

namespace assay::spec {
namespace {

constexpr std::size_t kMostNodes = 200'000;

}  // namespace

std::string_view name_of(Sort sort) {
  constexpr std::string_view names[] = {"Txn", "Obj", "Val", "Op"};
  return names[static_cast<std::size_t>(sort)];
}

const std::vector<Sort>& columns_of(Base base) {
  using enum Sort;
  static const std::vector<Sort> columns[kBases] = {{Txn, Obj, Val}, {Txn, Obj, Val}, {Obj, Txn}, {Obj, Txn},
                                                    {Txn, Txn},      {Obj, Txn, Txn}, {Op, Op},   {Op, Txn},
                                                    {Op, Obj},       {Txn, Op},       {Txn, Txn}, {Txn, Txn}};
  return columns[static_cast<std::size_t>(base)];
}

Node& Resolver::make(Kind kind, const Place& place, std::vector<const Node*> kids, Columns columns) {
  if (nodes_->size() >= kMostNodes)
    wrong(place, "the specification is too large once its definitions are put in");
  Node& node = nodes_->emplace_back();
  node.place_in_nodes = nodes_->size() - 1;
  node.kind = kind;
  node.place = place;
  node.kids = std::move(kids);
  column_refs_[&node] = std::move(columns);
  return node;
}

const Node* Resolver::formula_node(Kind kind, const Place& place, std::vector<const Node*> kids) {
  return &make(kind, place, std::move(kids), {});
}

Resolver::SortRef Resolver::fresh() {
  parent_.push_back(parent_.size());
  sort_.push_back(std::nullopt);
  return parent_.size() - 1;
}

Resolver::SortRef Resolver::of(Sort sort) {
  const SortRef ref = fresh();
  sort_[ref] = sort;
  return ref;
}

Resolver::SortRef Resolver::root(SortRef ref) const {
  while (parent_[ref] != ref) ref = parent_[ref];
  return ref;
}

void Resolver::unify(SortRef a, SortRef b, const Place& place) {
  a = root(a);
  b = root(b);
  if (a == b) return;
  if (sort_[a] && sort_[b] && *sort_[a] != *sort_[b])
    wrong(place, fmt::format("{} and {} do not fit together", name_of(*sort_[a]), name_of(*sort_[b])));
  if (!sort_[a]) std::swap(a, b);
  parent_[b] = a;
}

void Resolver::unify(const Columns& a, const Columns& b, const Place& place) {
  if (a.size() != b.size())
    wrong(place, fmt::format("{} and {} do not fit together", describe(a), describe(b)));
  for (std::size_t i = 0; i < a.size(); ++i) unify(a[i], b[i], place);
}

std::string Resolver::describe(const Columns& columns) const {
  std::string text;
  for (const SortRef ref : columns) {
    const auto sort = sort_[root(ref)];
    text += fmt::format("{}{}", text.empty() ? "" : " * ", sort ? name_of(*sort) : "?");
  }
  return text;
}

bool Resolver::uses(Sort sort) const {
  const auto is_sort = [&](SortRef ref) { return sort_[root(ref)] == sort; };
  return std::ranges::any_of(column_refs_,
                             [&](const auto& entry) { return std::ranges::any_of(entry.second, is_sort); });
}

void Resolver::finish() {
  const auto sort_of = [&](SortRef ref, const Place& place, const std::string& name) {
    const auto sort = sort_[root(ref)];
    if (!sort)
      wrong(place, fmt::format("nothing says what {} ranges over", name.empty() ? "this" : name),
            "say it: in Txn, in Obj, in Val");
    return *sort;
  };
  // Kids are made before their parents, so one pass in order sees them finished.
  for (Node& node : *nodes_) {
    for (const SortRef ref : column_refs_[&node]) node.columns.push_back(sort_of(ref, node.place, node.name));
    if (node.kind == Kind::Universe) node.number = static_cast<std::size_t>(node.columns[0]);
    std::vector<std::size_t> free;
    const auto include = [&](const Node& part) {
      free.insert(free.end(), part.free.begin(), part.free.end());
      node.uses_witness |= part.uses_witness;
      node.uses_fixpoint |= part.uses_fixpoint;
    };
    for (const Node* kid : node.kids) include(*kid);
    for (Variable& variable : node.bound) {
      variable.sort = sort_of(variable_sorts_[variable.number], node.place, variable.name);
      if (variable.domain != nullptr) include(*variable.domain);
    }
    for (const Variable& variable : node.bound) std::erase(free, variable.number);
    if (node.kind == Kind::Variable) free.push_back(node.number);
    node.uses_witness |= node.kind == Kind::Witness;
    // A let rec has no parameters, so that nothing of another one can stand in it.
    if (node.kind == Kind::Fixpoint) node.uses_fixpoint = false;
    node.uses_fixpoint |= node.kind == Kind::FixpointVariable;
    std::ranges::sort(free);
    free.erase(std::ranges::unique(free).begin(), free.end());
    node.free = std::move(free);
  }
}

}  // namespace assay::spec
