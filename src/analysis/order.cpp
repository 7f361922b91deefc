// What visibility and arbitration mean for rows: writers that are kept apart, versions, presence, counters.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/encoding.h"

namespace assay::analysis {

using z3::expr;
using z3::implies;

// The simple solver: preparing the default one costs more than most questions do.
Encoding::Encoding(z3::context& z, const Facts& facts, std::span<const Footprint> footprints)
    : z_(z), solver_(z, z3::solver::simple()), facts_(facts), footprints_(footprints) {}

void Encoding::limit_search(double seconds) {
  z3::params limits(z_);
  limits.set("timeout", static_cast<unsigned>(seconds * 1000));
  limits.set("ctrl_c", false);
  solver_.set(limits);
}

expr Encoding::before(std::size_t i, std::size_t j) const {
  const Tx &a = txs_[i], &b = txs_[j];
  if (a.world != b.world) return z_.bool_val(false);
  if (a.world > 0) return z_.bool_val(a.place < b.place);
  if (i > j) return !before(j, i);
  return z_.bool_const(fmt::format("ar {} {}", i, j).c_str());
}

expr Encoding::visible(std::size_t i, std::size_t view) const {
  const View& v = views_[view];
  if (i == v.tx) return z_.bool_val(true);
  if (txs_[i].world != 0 || txs_[v.tx].world != 0 || v.current) return before(i, v.tx);
  if (v.since != Item::kNone) return visible(i, v.since);
  return z_.bool_const(per_statement(v.tx) ? fmt::format("vis {} view{}", i, view).c_str()
                                           : fmt::format("vis {} {}", i, v.tx).c_str());
}

void Encoding::finish() {
  for (std::size_t tx = 0; tx < txs_.size(); ++tx)
    if (!per_statement(tx)) snapshot_of(tx);
  for (const auto& [where, rounds] : rounds_)
    for (std::size_t a = 0; a < rounds.size(); ++a)
      for (std::size_t b = a + 1; b < rounds.size(); ++b)
        distinct_rounds(where.first, where.second, rounds[a], rounds[b]);
  conflict_axioms();
  version_axioms();
  presence_axioms();
  unique_axioms();
  counter_axioms();
  order_axioms();
  view_axioms();
  written_axioms();
}

bool Encoding::keeps_apart(const Write& a, const Write& b) const {
  if (a.table != b.table) return false;
  return facts_.options().granularity == Granularity::Row || a.column == b.column || !a.column || !b.column;
}

void Encoding::conflict_axioms() {
  for (std::size_t i = 0; i < txs_.size(); ++i)
    for (std::size_t j = 0; j < txs_.size(); ++j)
      if (i != j && txs_[i].world == 0 && txs_[j].world == 0) conflicts(i, j);
}

// Whether the statement got to the row before the view was taken, which is surely newer than the statement's.
// A loop takes its rows one by one, so inside of it only the row of the same round is locked.
expr Encoding::locked_before(std::size_t tx, std::size_t item, const Record& row, std::size_t depth,
                             const View& view) {
  const std::size_t loop = item_of(tx, item).heads;
  if (loop == Item::kNone || !std::ranges::count(item_of(tx, view.item).loops, loop)) return yes();
  const Rounds round(view.rounds.begin(), view.rounds.begin() + static_cast<std::ptrdiff_t>(depth) + 1);
  return same_key(row, record(row.table, fmt::format("row{}.0@{}", item, tx), round));
}

// i wrote a row before j wrote or locked it: then j sees i, if its level keeps writers apart. At read
// committed the same holds where i only locked the row: j waited until i had ended.
void Encoding::conflicts(std::size_t i, std::size_t j) {
  const StoreLevelRow& level = facts_.levels().row(txs_[j].program);
  if (!level.no_conflict && !level.per_statement && !level.locks_what_it_reads) return;
  const Footprint &first = footprints_[txs_[i].program], &second = footprints_[txs_[j].program];
  std::set<std::pair<std::size_t, std::size_t>> seen;
  const auto relate = [&](std::size_t a, sql::TableId table, auto&& writes_a, std::size_t b,
                          auto&& writes_b) {
    for (const Rounds& at_i : known_rounds(i, item_of(i, a).loops))
      for (const Rounds& at_j : known_rounds(j, item_of(j, b).loops)) {
        std::vector<Record> candidates;
        if (auto r = pinned(i, a, at_i)) candidates.push_back(*r);
        else if (auto s = pinned(j, b, at_j)) candidates.push_back(*s);
        else
          for (const Record& r : records_)
            if (r.table == table) candidates.push_back(r);
        for (const Record& r : candidates) {
          const expr both = writes_a(at_i, r) && writes_b(at_j, r) && before(i, j);
          if (level.locks_what_it_reads) {
            require(implies(both, visible(i, snapshot_of(j))));
            continue;
          }
          if (level.no_conflict) {
            require(implies(both, visible(i, view_ids_.at(fmt::format("{}", j)))));
            continue;
          }
          for (std::size_t view = 0; view < views_.size(); ++view) {
            const View& v = views_[view];
            if (v.tx != j) continue;
            const bool same_round = at_j.size() <= v.rounds.size() &&
                                    std::equal(at_j.begin(), at_j.end(), v.rounds.begin(),
                                               [](const expr& x, const expr& y) { return z3::eq(x, y); });
            // What an INSERT finds when it gets its key is what the last holder of the key left.
            const bool of_insert =
                item_of(j, b).as<sql::Insert>() != nullptr && item_of(j, v.item).as<sql::Insert>() != nullptr;
            const bool of_key = v.newest && (of_insert || (v.item == b && sight(j, b) == Sight::Row)) &&
                                v.snapshot == item_of(j, b).statement->snapshot && same_round &&
                                v.rounds.size() == at_j.size();
            const sql::Snapshot& locked_by = item_of(j, b).statement->snapshot;
            // In MariaDB what a function reads may be as old as the statement that called it.
            const bool later = v.snapshot.is_surely_after(locked_by) && (same_round || v.rounds.empty()) &&
                               (!passes_rows(j) || v.snapshot.is_of_later_statement(locked_by));
            if (!of_key && !later) continue;
            const expr locked = of_key ? yes() : locked_before(j, b, r, at_j.size(), v);
            require(implies(both && locked, visible(i, view)));
          }
        }
      }
  };
  // One field stands for the row, unless which one it is depends on the row (ON CONFLICT DO UPDATE).
  const auto by_field = [&](std::size_t tx, std::size_t item) {
    const auto* insert = item_of(tx, item).as<sql::Insert>();
    return facts_.options().granularity == Granularity::Column ||
           (insert != nullptr && insert->conflict == sql::Insert::Conflict::Update);
  };
  // A key whose row was deleted since the snapshot is free again: no conflict.
  const auto takes_free_key = [&](const Write& b) {
    return rechecks_keys(j) && keys_come_back(b.table) && !b.column &&
           item_of(j, b.item).as<sql::Insert>() != nullptr;
  };
  const auto locked = [&](std::size_t tx, std::size_t item) {
    return [this, tx, item](const Rounds& at, const Record& r) { return locks(tx, item, at, r); };
  };
  const auto written = [&](std::size_t tx, const Write& write) {
    return [this, tx, &write](const Rounds& at, const Record& r) { return writes(tx, write, at, r); };
  };
  // An UPDATE locks the row also where it leaves it as it is.
  const auto held = [&](std::size_t tx, Write write, const Rounds& at, const Record& r) {
    if (item_of(tx, write.item).as<sql::Update>() != nullptr) write.column = {};
    return writes(tx, write, at, r);
  };
  if (level.locks_what_it_reads) {
    for (std::size_t b = 0; b < program(j).items.size(); ++b) {
      const Item& it = item_of(j, b);
      const bool later = locks_before_snapshot(j, b), refuses = locks_what_changed(j, b);
      const sql::TableId table = it.select == nullptr             ? written_table(it)
                                 : it.select->sources.size() == 1 ? it.select->sources[0]
                                                                  : sql::TableId::none();
      if ((!later && !refuses) || table.is_none() || facts_.schema()[table].of_locks) continue;
      const auto holds = [&, b](const Rounds& at, const Record& r) {
        return it.select != nullptr ? locks(j, b, at, r) : held(j, {b, table, {}, false}, at, r);
      };
      for (const Write& a : first.writes) {
        if (a.table != table) continue;
        const auto* insert = item_of(i, a.item).as<sql::Insert>();
        if (later)
          relate(
              a.item, table, [&](const Rounds& at, const Record& r) { return held(i, a, at, r); }, b, holds);
        // An UPDATE by ON CONFLICT may leave the row as it is.
        else if (insert == nullptr || !a.column) relate(a.item, table, written(i, a), b, holds);
      }
      if (!later || keys_come_back(table)) continue;
      for (std::size_t a = 0; a < program(i).items.size(); ++a) {
        const sql::Select* also = item_of(i, a).select;
        if (also != nullptr && also->for_update && also->sources == std::vector{table} &&
            !(also->shares_lock && it.select != nullptr && it.select->shares_lock))
          relate(a, table, locked(i, a), b, holds);
      }
    }
    return;
  }
  for (const Write& a : first.writes) {
    for (const Write& b : second.writes)
      if (keeps_apart(a, b) && !takes_free_key(b) &&
          (by_field(i, a.item) || by_field(j, b.item) || seen.emplace(a.item, b.item).second))
        relate(a.item, a.table, written(i, a), b.item, written(j, b));
    for (std::size_t item = 0; item < program(j).items.size(); ++item) {
      const sql::Select* select = item_of(j, item).select;
      if (select != nullptr && select->for_update && select->sources == std::vector{a.table} &&
          seen.emplace(a.item, item).second)
        relate(a.item, a.table, written(i, a), item, locked(j, item));
    }
  }
  const StoreLevelRow& other = facts_.levels().row(txs_[i].program);
  if (!level.per_statement || !(other.per_statement || other.no_conflict || other.of_mariadb())) return;
  for (std::size_t a = 0; a < program(i).items.size(); ++a) {
    const sql::Select* select = item_of(i, a).select;
    // A row with the same key may come back after the one that was locked.
    if (select == nullptr || !select->for_update || select->sources.size() != 1 ||
        keys_come_back(select->sources[0]) ||
        (level.of_mariadb() && facts_.schema()[select->sources[0]].of_locks))
      continue;
    for (const Write& b : second.writes)
      if (b.table == select->sources[0] && !item_of(j, b.item).as<sql::Insert>() &&
          seen.emplace(a, b.item).second)
        relate(a, b.table, locked(i, a), b.item, written(j, b));
    for (std::size_t b = 0; b < program(j).items.size(); ++b) {
      const sql::Select* also = item_of(j, b).select;
      if (also != nullptr && also->for_update && also->sources == select->sources &&
          !(select->shares_lock && also->shares_lock) && seen.emplace(a, b).second)
        relate(a, select->sources[0], locked(i, a), b, locked(j, b));
    }
  }
}

// Whether all writers that a view shows come, in the order of versions, before all that it does not show.
bool Encoding::orders_versions(std::size_t tx) const {
  const StoreLevelRow& level = facts_.levels().row(txs_[tx].program);
  const std::size_t programs = facts_.programs().size();
  const bool writers_apart = facts_.levels().all(&StoreLevelRow::no_conflict, programs) &&
                             facts_.levels().all(&StoreLevelRow::causal, programs);
  return level.prefix || level.per_statement || writers_apart;
}

// A view shows the last version of the writers it sees; so each of them comes before whoever overwrote what
// was read, and not after whom it was read from.
void Encoding::version_axioms() {
  for (const Way& way : ways_) {
    if (way.kind == Dependency::Ww) continue;
    const std::size_t reader = way.kind == Dependency::Wr ? way.to : way.from;
    const std::size_t writer = way.kind == Dependency::Wr ? way.from : way.to;
    if (orders_versions(reader)) continue;
    for (std::size_t tx = 0; tx < txs_.size(); ++tx) {
      if (tx == reader || tx == writer) continue;
      for (const Write& write : footprints_[txs_[tx].program].writes)
        if (write.table == way.record.table && write.column == way.column)
          for (const Rounds& at : known_rounds(tx, item_of(tx, write.item).loops))
            require(implies(way.condition && visible(tx, way.view) && writes(tx, write, at, way.record),
                            before(tx, writer)));
    }
  }
}

// Where nobody deletes, a row stays; and a query that finds nothing, or a minimum, says so about every row.
void Encoding::presence_axioms() {
  for (std::size_t i = 0; i < txs_.size(); ++i)
    for (const Write& write : footprints_[txs_[i].program].writes) {
      const TableFacts& table = facts_.table(write.table);
      if (write.column || !write.alive || table.deleted || table.opaque) continue;
      for (const Rounds& at : known_rounds(i, item_of(i, write.item).loops)) {
        std::vector<Record> rows;
        if (auto r = pinned(i, write.item, at)) rows.push_back(*r);
        for (const Record& r : rows) {
          const expr inserted = writes(i, write, at, r);
          for (std::size_t view = 0; view < views_.size(); ++view)
            if (views_[view].tx != i) require(implies(inserted && visible(i, view), alive(view, r)));
        }
      }
    }
  for (std::size_t tx = 0; tx < txs_.size(); ++tx)
    for (std::size_t item = 0; item < program(tx).items.size(); ++item) {
      const Item& it = item_of(tx, item);
      if (it.as<sql::Select>() == nullptr || it.select->sources.size() != 1 || it.select->partial) continue;
      const sql::TableId table = it.select->sources[0];
      for (const Rounds& at : known_rounds(tx, it.loops))
        for (const Record& r : records_)
          if (r.table == table) require(accounts_for(tx, item, at, r));
    }
}

// If the row matches and is there, the query has found something, and nothing that it beats.
expr Encoding::accounts_for(std::size_t tx, std::size_t item, const Rounds& at, const Record& r) {
  const sql::Select& select = *item_of(tx, item).select;
  const std::size_t view = view_of(tx, item, at);
  const Scope scope{tx, at, {&r}, view, item};
  const expr matches =
      happens(tx, item, at) && surely_matches(scope, select) && alive(view, r) && !own(tx, item, at, r);
  const expr is_found = implies(matches, found(tx, item, at));
  const sql::Output* output = extreme(select);
  if (output == nullptr) return is_found;
  using Kind = sql::Expression::Kind;
  const Kind beats = output->aggregate == sql::Output::Aggregate::Max ? Kind::Greater : Kind::Less;
  const std::vector<Record> best = selected(tx, item, at);
  const Term extreme = evaluate(Scope{tx, at, {&best[0]}, view, item}, output->value);
  return is_found && implies(matches, !compare(scope, beats, output->value->type,
                                               evaluate(scope, output->value), extreme, nullptr)
                                           .must);
}

// A column that everybody only raises: who sees an increment reads at least its result, and an increment that
// is not seen started from at least what was read. Needs causal stores that keep writers apart: then the
// increments of a row are a chain of transactions that see each other, and what a view shows of it is a
// beginning.
void Encoding::counter_axioms() {
  for (std::size_t i = 0; i < txs_.size(); ++i)
    for (const Write& write : footprints_[txs_[i].program].writes) {
      if (!write.column || facts_.counter(write.table, *write.column) == 0) continue;
      const auto r = pinned(i, write.item, {});
      if (!r) continue;
      const int step = static_cast<int>(facts_.counter(write.table, *write.column));
      const expr counts = writes(i, write, {}, *r);
      const std::size_t own = view_of(i, write.item, {});
      const Term start = seen_value(own, *r, *write.column);
      for (std::size_t view = 0; view < views_.size(); ++view) {
        if (views_[view].tx == i || txs_[i].world > 0 || txs_[views_[view].tx].world > 0) continue;
        const Term seen = seen_value(view, *r, *write.column);
        require(implies(counts && visible(i, view), seen.value >= start.value + step));
        require(implies(counts && !visible(i, view), start.value >= seen.value));
      }
    }
}

// The minima and maxima over tables into which programs insert.
std::vector<Encoding::FoundRow> Encoding::found_rows() const {
  std::vector<FoundRow> rows;
  if (facts_.options().initial_rows == InitialRows::Any) return rows;
  for (std::size_t tx = 0; tx < txs_.size(); ++tx)
    for (std::size_t item = 0; item < program(tx).items.size(); ++item) {
      const Item& it = item_of(tx, item);
      if (it.as<sql::Select>() == nullptr || extreme(*it.select) == nullptr) continue;
      const TableFacts& table = facts_.table(it.select->sources[0]);
      if (!table.inserted || table.opaque || facts_.schema()[it.select->sources[0]].seeded) continue;
      for (const Rounds& at : known_rounds(tx, it.loops)) rows.push_back({tx, item, at});
    }
  return rows;
}

void Encoding::add_inserters() {
  const std::size_t named = txs_.size();
  for (const FoundRow& row : found_rows()) {
    const sql::TableId table = item_of(row.tx, row.item).select->sources[0];
    const Record r = selected(row.tx, row.item, row.rounds)[0];
    const std::size_t view = view_of(row.tx, row.item, row.rounds);
    const std::string tag = fmt::format("of {}.{}.{}", row.tx, row.item, txs_.size());
    expr somebody = no();
    const auto inserts = [&](std::size_t tx) {
      for (const Write& write : footprints_[txs_[tx].program].writes) {
        if (write.table != table || write.column || !write.alive) continue;
        const Rounds at = rounds_for(tx, item_of(tx, write.item).loops, tag);
        somebody = somebody || (writes(tx, write, at, r) && may_show(tx, view));
      }
    };
    for (std::size_t tx = 0; tx < named; ++tx)
      if (tx != row.tx) inserts(tx);
    for (std::size_t p = 0; p < facts_.programs().size(); ++p) {
      const bool does = std::ranges::any_of(
          footprints_[p].writes, [&](const Write& w) { return w.table == table && !w.column && w.alive; });
      if (!does) continue;
      inserts(add_transaction(p, false));
    }
    require(implies(
        happens(row.tx, row.item, row.rounds) && found(row.tx, row.item, row.rounds) && alive(view, r),
        somebody));
  }
}

}  // namespace assay::analysis
