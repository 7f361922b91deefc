// What a statement sees at MariaDB's levels, where one transaction looks at two states of the database.
//
// A plain query reads from a snapshot: of the transaction at REPEATABLE READ, of its own at READ COMMITTED.
// Whatever changes or locks rows reads their newest versions and keeps them locked until the end. At
// REPEATABLE READ that holds of every row and gap that it looks at. So nobody changes what it saw before the
// transaction ends, and one view shows it: everything that was committed before that end (Sight::Current). At
// READ COMMITTED rows that do not match are let go at once, and each row is of a moment of its own
// (Sight::Mixed, or Sight::Row where there is only one). So is what is not known to be the one or the other:
// queries inside of functions and triggers, and statements that are not understood.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/encoding.h"

namespace assay::analysis {

using z3::expr;

Encoding::Sight Encoding::sight(std::size_t tx, std::size_t item) const {
  if (!splits_views(tx) && !passes_rows(tx)) return Sight::Snapshot;
  const Item& it = item_of(tx, item);
  const Sight of_any_moment = passes_rows(tx) && names_its_row(tx, item) ? Sight::Row : Sight::Mixed;
  const Sight of_locks = passes_rows(tx) ? of_any_moment : Sight::Current;
  if (it.as<sql::Opaque>() != nullptr) return Sight::Mixed;
  if (it.as<sql::Insert>() != nullptr) return passes_rows(tx) ? Sight::Snapshot : Sight::Current;
  if (it.select == nullptr || it.select->for_update) return of_locks;
  if (it.statement->snapshot.is_of_called_function()) return of_any_moment;
  return it.of_change ? of_locks : Sight::Snapshot;
}

// By its whole primary key: the statement looks at no other.
bool Encoding::names_its_row(std::size_t tx, std::size_t item) const {
  const Item& it = item_of(tx, item);
  if (it.spreads || it.as<sql::Insert>() != nullptr) return false;
  if (it.select != nullptr && it.select->sources.size() != 1) return false;
  const sql::TableId table = it.select != nullptr ? it.select->sources[0] : written_table(it);
  return !table.is_none() && !pinned_key(facts_.schema()[table], where_of(it)).empty();
}

// A plain query shows the whole row as the transaction's own UPDATE made it, also columns that this one left
// as others had made them after the snapshot.
bool Encoding::shows_own_versions(std::size_t tx, std::size_t item) const {
  if (item == Item::kNone) return false;
  if (splits_views(tx)) return sight(tx, item) != Sight::Current;
  return passes_rows(tx) && item_of(tx, item).statement->snapshot.is_of_called_function();
}

// Whether the snapshot is surely taken after the statement has got its locks. With innodb_snapshot_isolation
// what locks may take it, too, before it waits.
bool Encoding::locks_before_snapshot(std::size_t tx, std::size_t item) const {
  const Item& locks = item_of(tx, item);
  if (!locks.loops.empty() || facts_.levels().row(txs_[tx].program).refuses_unseen) return false;
  for (std::size_t other = 0; other < program(tx).items.size(); ++other) {
    if (sight(tx, other) == Sight::Current) continue;
    const Item& reads = item_of(tx, other);
    if (reads.select == nullptr && reads.as<sql::Opaque>() == nullptr) continue;
    const bool inside = locks.heads != Item::kNone && std::ranges::count(reads.loops, locks.heads) > 0;
    if (inside || !reads.statement->snapshot.is_of_later_statement(locks.statement->snapshot)) return false;
  }
  return true;
}

// Of statements that lock the row itself. What is known of others, of locks that are shared and of cascades,
// is too little.
bool Encoding::locks_what_changed(std::size_t tx, std::size_t item) const {
  if (!facts_.levels().row(txs_[tx].program).refuses_unseen) return false;
  const Item& it = item_of(tx, item);
  if (it.select != nullptr) return it.select->for_update && !it.select->shares_lock;
  const auto* update = it.as<sql::Update>();
  if (it.spreads || (update != nullptr && moves_rows(facts_.schema(), *update))) return false;
  return update != nullptr || it.as<sql::Delete>() != nullptr;
}

// An UPDATE that sets what the column holds already makes no new version of the row.
expr Encoding::changes(std::size_t tx, const Write& write, const Rounds& rounds, const Record& record) {
  const Item& item = item_of(tx, write.item);
  const auto* update = item.as<sql::Update>();
  if (!facts_.tells_changes() || !write.column || txs_[tx].world > 0 || update == nullptr || item.spreads ||
      update->table != write.table || moves_rows(facts_.schema(), *update))
    return yes();
  const expr changed = apply(fmt::format("changes{}.{}@{}", write.item, write.column->value, tx),
                             joined(rounds, record.key), z_.bool_sort());
  const auto set = std::ranges::find(update->sets, *write.column, &sql::Update::Set::column);
  if (set == update->sets.end() || writes_before(tx, write.item, write.table, write.column)) return changed;
  const std::size_t view = view_of(tx, write.item, rounds);
  const Term before = seen_value(view, record, *write.column),
             after = evaluate(Scope{tx, rounds, {&record}, view, write.item}, set->value);
  return after.known ? !equal(before, after) : changed;
}

// Whether the view may show what i wrote of a row, where rows are of different moments.
expr Encoding::may_show(std::size_t i, std::size_t view) const {
  return views_[view].since == Item::kNone ? visible(i, view) : before(i, views_[view].tx);
}

std::size_t Encoding::snapshot_of(std::size_t tx) {
  const auto [place, added] = view_ids_.try_emplace(fmt::format("{}", tx), views_.size());
  if (added) views_.push_back({tx, {}, {}, Item::kNone});
  return place->second;
}

}  // namespace assay::analysis
