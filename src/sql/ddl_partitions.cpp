// Partitions: their rows are rows of the whole, and so is what is said of them, where they are like the
// whole.
//
// A table that is attached has an order of columns, defaults and calculated columns of its own. They matter
// to who names it; calculated columns, and whatever else a partition has for itself, to who uses the whole
// too.
#include <algorithm>

#include "sql/ddl.h"
#include "sql/expression.h"
#include "sql/tree.h"

namespace assay::sql {
namespace {

bool is_key(std::string_view kind) { return kind == "CONSTR_PRIMARY" || kind == "CONSTR_UNIQUE"; }

bool same_value(const ExpressionPtr& a, const ExpressionPtr& b) {
  if (!a || !b) return !a && !b;
  return a->kind == b->kind && a->type == b->type && a->text == b->text && a->null == b->null &&
         a->declared == b->declared && std::ranges::equal(a->kids, b->kids, same_value);
}

// The same expression, wherever it stands.
Json without_places(Json node) {
  if (node.is_object()) node.erase("location");
  if (node.is_structured())
    for (Json& kid : node) kid = without_places(std::move(kid));
  return node;
}

}  // namespace

// Tables of two schemas with one name can look like a partition of itself: nothing is known of such a table.
bool SchemaReader::add_partition(const std::string& partition, const std::string& parent,
                                 const Place& place) {
  for (std::string above = parent;; above = schema_.partitions.at(above)) {
    if (above == partition) {
      ambiguous_.insert(partition);
      unclear(partition, place, "a partition of a table with its own name");
      return false;
    }
    if (!schema_.partitions.contains(above)) break;
  }
  schema_.partitions.insert_or_assign(partition, parent);
  return true;
}

// The rows of a partition are rows of the whole; how its columns were is kept for check_partitions().
void SchemaReader::attach(const std::string& partition, const std::string& parent, const Place& place) {
  if (!add_partition(partition, parent, place)) return;
  const auto table = std::ranges::find(schema_.tables, partition, &Table::name);
  if (table != schema_.tables.end()) {
    attached_.insert_or_assign(partition, std::move(*table));
    schema_.tables.erase(table);
  }
}

// A partition repeats the keys of the whole; whatever else it has of its own is more than the model has.
Result<void> SchemaReader::partition_constraint(const Change& change) {
  const bool only_aborts = change.kind == "AT_SetNotNull" || change.kind == "AT_DropNotNull";
  if (!is_key(change.kind) && !only_aborts)  // keys are looked at once all of the whole are known
    unclear(change.table, change.place, "a partition with columns or constraints of its own");
  return {};
}

void SchemaReader::set_unlike(const std::string& partition, const std::string& what) {
  if (!unlike_.emplace(partition, what).second) return;
  notes_.push_back({attached_.contains(partition) ? attached_.at(partition).place : Place{},
                    what + ": whoever names partition " + partition + " may read and write everything"});
}

bool SchemaReader::same_formula(const std::string& partition, const std::string& whole,
                                const std::string& column) const {
  const auto a = formulas_.find({partition, column}), b = formulas_.find({whole, column});
  if (a == formulas_.end() || b == formulas_.end()) return a == b;
  return a->second.generated == b->second.generated &&
         without_places(a->second.expression) == without_places(b->second.expression);
}

void SchemaReader::check_partitions() {
  for (const Change& change : changes_) {
    if (!schema_.partitions.contains(change.table) || !is_key(change.kind)) continue;
    const Table* whole = find(change.table);
    std::vector<ColumnId> columns;
    for (const std::string& name : change.columns)
      if (const auto column = whole->find(name)) columns.push_back(*column);
    if (!std::ranges::is_permutation(columns, whole->primary_key) &&
        !std::ranges::count(whole->unique, columns))
      unclear(change.table, change.place, "a key of one partition");
  }
  for (const auto& [partition, own] : attached_) {
    const Table* whole = find(partition);
    if (whole == nullptr) continue;
    bool same = own.columns.size() == whole->columns.size();
    for (std::size_t i = 0; same && i < own.columns.size(); ++i) {
      const Column &a = own.columns[i], &b = whole->columns[i];
      same = a.name == b.name && a.declared == b.declared && same_value(a.fallback, b.fallback) &&
             same_formula(partition, whole->name, a.name);
    }
    if (!same) set_unlike(partition, "a partition with an order of columns or defaults of its own");
    for (const auto& [where, formula] : formulas_)
      if (formula.generated && (where.first == partition || where.first == whole->name) &&
          !same_formula(partition, whole->name, where.second))
        unclear(partition, own.place, "a partition with a calculated column of its own");
  }
  // A default that is set later reaches the partitions that there are, or with ONLY none of them.
  for (const Change& change : changes_) {
    if (change.kind != "AT_ColumnDefault") continue;
    for (const auto& [partition, parent] : schema_.partitions)
      if (parent == change.table && change.only != attached_.contains(partition))
        set_unlike(partition, "a partition with defaults of its own");
  }
  // A partition of such a partition takes after it.
  for (const auto& [partition, parent] : schema_.partitions)
    for (auto above = schema_.partitions.find(parent); above != schema_.partitions.end();
         above = schema_.partitions.find(above->second))
      if (unlike_.contains(above->first)) set_unlike(partition, unlike_.at(above->first));
}

// ONLY: the key of a partitioned table holds where every partition has it too, as pg_dump writes them.
void SchemaReader::check_partial_keys() {
  for (const Change& key : changes_) {
    if (!key.only || !is_key(key.kind)) continue;
    for (const auto& [partition, whole] : schema_.partitions) {
      if (whole != key.table) continue;
      const bool has = std::ranges::any_of(changes_, [&](const Change& other) {
        return other.table == partition && is_key(other.kind) && other.columns == key.columns;
      });
      if (!has) return unclear(key.table, key.place, "a key of ONLY the partitioned table");
    }
  }
}

}  // namespace assay::sql
