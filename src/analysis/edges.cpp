// Dependencies between two transactions: the product of their footprints.
//
// An edge is about one record of each table and one round of each loop, of its own. It comes about in some
// way: a field, a statement that writes or reads it on either side, and what visibility and arbitration say
// about the two. For stores that show prefixes, or causal ones that keep writers apart, "reads a later
// version" may stand for "reads the next one" (and WR for what comes before the version read): the graph has
// other edges but the same cycles, and then an access of two transactions to one field, one of them writing,
// always is an edge.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/encoding.h"

namespace assay::analysis {

using z3::expr;
using z3::implies;

namespace {

// Whether a statement that writes looks at the newest version of what it writes (read committed).
bool of_written_row(const Item& item, const Read& read) { return written_table(item) == read.table; }

bool same_field(const Read& read, const Write& write) {
  return read.table == write.table && read.column == write.column;
}
bool same_field(const Write& a, const Write& b) { return a.table == b.table && a.column == b.column; }
// An INSERT writes every column. Who sees it depends on it by presence already; who writes a column of a row
// that was there before, and has been deleted since, does not see it.
bool of_older_row(const Write& insert, const Write& b) {
  return insert.table == b.table && !insert.column && insert.alive && b.column;
}

}  // namespace

expr Encoding::depends(std::size_t i, std::size_t j) {
  const std::string tag = fmt::format("{}-{}", i, j);
  std::map<std::uint32_t, Record> records;
  const auto about = [&](sql::TableId table) -> const Record& {
    const auto place = records.find(table.value);
    if (place != records.end()) return place->second;
    records_.push_back(record(table, fmt::format("edge {}.{}", tag, facts_.schema()[table].name)));
    return records.emplace(table.value, records_.back()).first->second;
  };
  const auto rounds = [&](std::size_t tx, std::size_t item) {
    return rounds_for(tx, item_of(tx, item).loops, tag);
  };
  const Footprint &from = footprints_[txs_[i].program], &to = footprints_[txs_[j].program];
  expr any = no();
  const auto way = [&](Dependency kind, std::size_t a, std::size_t b, sql::TableId table,
                       std::optional<sql::ColumnId> column, const expr& condition,
                       std::size_t view = Item::kNone) {
    ways_.push_back({kind, i, j, a, b, about(table), column, condition, view});
    any = any || condition;
  };
  // What locks or changes rows looks at the newest version of every row that it meets, also of those that it
  // does not keep.
  const auto may_meet = [&](std::size_t item, const Rounds& at, const Record& r) {
    if (!meets_newest_versions(j, item, r.table)) return no();
    const expr running = happens(j, item, at);
    const sql::Select* select = item_of(j, item).select;
    if (select != nullptr && select->sources.size() != 1) return running;
    const std::size_t view = view_of(j, item, at);
    return running && truth(Scope{j, at, {&r}, view, item}, where_of(item_of(j, item))).may && alive(view, r);
  };
  for (const Write& write : from.writes) {
    for (const Read& read : to.reads) {
      if (!same_field(read, write) || (!read.column && read.alive != write.alive)) continue;
      const Record& r = about(write.table);
      const Rounds at = rounds(j, read.item);
      const std::size_t view = view_of(j, read, at);
      expr sees = may_show(i, view);
      if (splits_views(j) && shows_own_versions(j, read.item))
        sees = sees || (before(i, j) && own(j, read.item, at, r));
      // What ON CONFLICT met at si is in the snapshot: the server refuses to pass over any other row.
      const bool meets = tells_inserts(j) && read.alive && read.table == written_table(item_of(j, read.item));
      if (rechecks_keys(j) && read.checks() && !meets) sees = sees || before(i, j);
      if (per_statement(j))
        sees = sees || (before(i, j) && may_meet(read.item, at, r) && looked_at(j, read, at, r, i));
      if (per_statement(j) && of_written_row(item_of(j, read.item), read))
        sees = sees ||
               (before(i, j) && writes(j, {.item = read.item, .table = read.table, .column = {}}, at, r));
      way(Dependency::Wr, write.item, read.item, write.table, write.column,
          writes(i, write, rounds(i, write.item), r) && reads(j, read, at, r, false) && sees, view);
    }
    for (const Write& other : to.writes) {
      const bool older = of_older_row(write, other) &&
                         (facts_.table(write.table).deleted || facts_.table(write.table).opaque);
      if (!same_field(write, other) && !older) continue;
      const Record& r = about(write.table);
      expr unseen = yes();  // who sees the INSERT is shown as a reader of it
      if (older) unseen = !visible(i, view_of(j, other.item, rounds(j, other.item)));
      way(Dependency::Ww, write.item, other.item, write.table, other.column,
          writes(i, write, rounds(i, write.item), r) && writes(j, other, rounds(j, other.item), r) &&
              before(i, j) && unseen);
    }
  }
  for (const Read& read : from.reads) {
    for (const Write& write : to.writes) {
      if (!same_field(read, write) || (!read.column && read.alive == write.alive)) continue;
      const Record& r = about(read.table);
      const Rounds at = rounds(i, read.item);
      const std::size_t view = view_of(i, read, at);
      expr misses = !visible(j, view);
      if (rechecks_keys(i) && read.checks()) misses = misses || before(i, j);
      const expr of_the_end = holds_what_it_checks(i, read, at) || looks_again(i, read, at, r);
      misses = misses && (before(i, j) || !of_the_end);
      if (per_statement(i)) {
        misses = misses && not_looked_at(i, read, at, r, j);
        // A row that was gone when the statement got to it is not locked: who inserts its key need not wait.
        const bool may_be_gone = !read.column && !read.alive && keys_come_back(read.table);
        if (!may_be_gone) misses = misses && (before(i, j) || !locks(i, read.item, at, r));
        if (of_written_row(item_of(i, read.item), read))
          misses = misses && (before(i, j) ||
                              !writes(i, {.item = read.item, .table = read.table, .column = {}}, at, r));
      }
      way(Dependency::Rw, read.item, write.item, read.table, read.column,
          reads(i, read, at, r, false) && writes(j, write, rounds(j, write.item), r) && misses &&
              may_be_looked_for(i, read, at, j, write, rounds(j, write.item)),
          view);
    }
  }
  return any;
}

expr Encoding::surely_depends(std::size_t i, std::size_t j) {
  const Footprint &from = footprints_[txs_[i].program], &to = footprints_[txs_[j].program];
  // Where: the records that are named already, and those that a side pins.
  const auto candidates = [&](std::size_t a, const Rounds& at_a, std::size_t b, const Rounds& at_b,
                              sql::TableId table) {
    std::vector<Record> all;
    if (auto r = pinned(i, a, at_a)) all.push_back(*r);
    else if (auto s = pinned(j, b, at_b)) all.push_back(*s);
    else
      for (const Record& r : records_)
        if (r.table == table) all.push_back(r);
    return all;
  };
  expr any = no();
  const auto pairs = [&](std::size_t a, std::size_t b, sql::TableId table, auto&& condition) {
    for (const Rounds& at_a : known_rounds(i, item_of(i, a).loops))
      for (const Rounds& at_b : known_rounds(j, item_of(j, b).loops))
        for (const Record& r : candidates(a, at_a, b, at_b, table)) any = any || condition(at_a, at_b, r);
  };
  const auto plain = [&](std::size_t tx, std::size_t item, sql::TableId table) {
    return written_table(item_of(tx, item)) == table;
  };
  for (const Write& write : from.writes) {
    if (!plain(i, write.item, write.table)) continue;
    for (const Write& other : to.writes)
      if (same_field(write, other) && plain(j, other.item, other.table))
        pairs(write.item, other.item, write.table,
              [&](const Rounds& at_i, const Rounds& at_j, const Record& r) {
                return writes(i, write, at_i, r) && writes(j, other, at_j, r) && before(i, j);
              });
    if (!orders_versions(j)) continue;
    for (const Read& read : to.reads)
      if (same_field(read, write) && (read.column || read.alive == write.alive))
        pairs(write.item, read.item, write.table,
              [&](const Rounds& at_i, const Rounds& at_j, const Record& r) {
                return writes(i, write, at_i, r) && reads(j, read, at_j, r, true) &&
                       visible(i, view_of(j, read, at_j));
              });
  }
  if (!orders_versions(i)) return any;
  for (const Read& read : from.reads)
    for (const Write& write : to.writes)
      if (same_field(read, write) && (read.column || read.alive != write.alive) &&
          plain(j, write.item, write.table))
        pairs(read.item, write.item, read.table,
              [&](const Rounds& at_i, const Rounds& at_j, const Record& r) {
                expr misses = !visible(j, view_of(i, read, at_i));
                if (per_statement(i)) misses = misses && before(i, j);
                else misses = misses && (before(i, j) || !looks_again(i, read, at_i, r));
                return reads(i, read, at_i, r, true) && writes(j, write, at_j, r) && misses;
              });
  return any;
}

}  // namespace assay::analysis
