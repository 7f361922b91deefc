// When a statement reads and writes a record: the footprints of footprint.h as conditions.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/encoding.h"

namespace assay::analysis {

using z3::expr;
using z3::implies;

std::vector<expr> Encoding::joined(const Rounds& rounds, const std::vector<expr>& key) {
  std::vector<expr> all(rounds);
  all.insert(all.end(), key.begin(), key.end());
  return all;
}

namespace {

// Whether only the primary key can be what ON CONFLICT meets.
bool by_primary_key(const sql::Table& table, const sql::Insert& insert) {
  if (insert.conflict_columns.empty()) return table.unique.empty() && table.loose_keys.empty();
  return std::ranges::is_permutation(insert.conflict_columns, table.primary_key);
}

}  // namespace

sql::ExpressionPtr Encoding::where_of(const Item& item) const {
  if (item.select != nullptr) return item.select->where;
  if (const auto* update = item.as<sql::Update>()) return update->where;
  if (const auto* deletion = item.as<sql::Delete>()) return deletion->where;
  return nullptr;
}

expr Encoding::matches_insert(const Scope& scope, const sql::Insert& insert, const Record& record,
                              std::span<const sql::ColumnId> columns) {
  expr same = yes();
  for (const sql::ColumnId column : columns) {
    const Term value = evaluate(scope, insert.values[column.index()]);
    if (!facts_.fixed(record.table, column)) {
      same = same && !value.null;
      continue;
    }
    const Term stored = fixed_value(record, column);
    const z3::sort sort = stored.value.get_sort();
    same = same && !value.null && !stored.null && stored.value == as_sort(value.value, sort);
  }
  return same;
}

// Whether the record may be the one that an INSERT ... ON CONFLICT meets. ON CONSTRAINT does not tell the
// key.
expr Encoding::matches_conflict(const Scope& scope, const sql::Insert& insert, const Record& record) {
  const sql::Table& table = facts_.schema()[record.table];
  if (by_primary_key(table, insert)) return matches_insert(scope, insert, record, table.primary_key);
  return insert.conflict_columns.empty() ? yes()
                                         : matches_insert(scope, insert, record, insert.conflict_columns);
}

// A necessary condition that does not depend on views.
expr Encoding::may_write(std::size_t tx, const Write& write, const Rounds& rounds, const Record& record) {
  const Item& item = item_of(tx, write.item);
  const expr running = happens(tx, write.item, rounds);
  if (written_table(item) != write.table || item.spreads) return running;
  const sql::Table& table = facts_.schema()[write.table];
  if (const auto* insert = item.as<sql::Insert>())
    return running && (matches_insert(Scope{tx, rounds}, *insert, record, table.primary_key) ||
                       (insert->conflict == sql::Insert::Conflict::Update &&
                        matches_conflict(Scope{tx, rounds}, *insert, record)));
  if (const auto* update = item.as<sql::Update>(); update != nullptr && moves_rows(facts_.schema(), *update))
    return running;
  return running && truth(Scope{tx, rounds, {&record}, {}, write.item}, where_of(item)).may;
}

// Whether the statement writes the record, and there the field: an INSERT with ON CONFLICT UPDATE writes
// columns of rows that exist and the presence of those that do not.
expr Encoding::writes(std::size_t tx, const Write& write, const Rounds& rounds, const Record& record) {
  const Item& item = item_of(tx, write.item);
  const expr does = apply(fmt::format("W{} {}@{}", write.item, facts_.schema()[write.table].name, tx),
                          joined(rounds, record.key), z_.bool_sort());
  const auto* insert = item.as<sql::Insert>();
  const std::size_t view = view_of(tx, write.item, rounds, insert != nullptr);
  const bool upsert = insert != nullptr && insert->conflict == sql::Insert::Conflict::Update;
  const expr own_row = own(tx, write.item, rounds, record);
  const bool may_be_gone = rechecks_keys(tx) && keys_come_back(write.table);
  const bool tells = insert != nullptr && tells_inserts(tx);
  const auto result = [&] {
    if (!upsert) return does && changes(tx, write, rounds, record);
    expr fits = own_row || alive(view, record) == z_.bool_val(write.column.has_value());
    if (may_be_gone && !write.column)
      fits = fits || apply(fmt::format("gone{} {}@{}", write.item, facts_.schema()[write.table].name, tx),
                           joined(rounds, record.key), z_.bool_sort());
    if (tells) {
      const expr is_new = inserted(tx, write.item, rounds);
      fits = fits && (write.column ? !is_new : is_new);
    }
    return does && fits;
  };
  if (!instantiated_.insert(fmt::format("W{}", Z3_get_ast_id(z_, does))).second) return result();

  const expr running = happens(tx, write.item, rounds);
  const auto* update = item.as<sql::Update>();
  const bool misses = item.spreads || written_table(item) != write.table ||
                      (update != nullptr && moves_rows(facts_.schema(), *update));
  if (misses) {  // a cascade, a moved row, something not understood
    require(implies(does, running));
  } else if (insert != nullptr) {
    const sql::Table& table = facts_.schema()[write.table];
    const Scope scope{tx, rounds};
    expr match =
        running && (table.primary_key.empty() ? record.key[0] == static_cast<int>(tx)
                                              : matches_insert(scope, *insert, record, table.primary_key));
    if (upsert && !by_primary_key(table, *insert)) {
      const expr meets = running && matches_conflict(scope, *insert, record);
      require(implies(does, match || meets));
      if (!may_be_gone) require(implies(does && !own_row, z3::ite(alive(view, record), meets, match)));
    } else if (upsert) {
      require(insert->conflict_where ? implies(does, match) : does == match);
    } else if (insert->conflict == sql::Insert::Conflict::Abort) {
      require(does == match);  // it committed, so the key was free
    } else {
      require(implies(does, may_be_gone ? match : match && (own_row || !alive(view, record))));
      // Another unique key may be taken where any of them counts.
      if (by_primary_key(table, *insert)) require(implies(match && !own_row && !alive(view, record), does));
    }
    if (tells && insert->conflict == sql::Insert::Conflict::Nothing)
      require(does == (match && inserted(tx, write.item, rounds)));
    if (tells && upsert) {
      const expr is_new = inserted(tx, write.item, rounds);
      require(implies(does && !own_row && !alive(view, record), is_new));
      if (!may_be_gone) require(implies(does && !own_row && alive(view, record), !is_new));
    }
    if (!upsert) parents_are_there(scope, *insert, does);
    const expr is_new = upsert ? does && !own_row && !alive(view, record) : does;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const sql::ColumnId column(c);
      if (table.in_primary_key(column) || !facts_.fixed(write.table, column)) continue;
      const Term value = evaluate(scope, insert->values[c]);
      if (value.known) require(implies(is_new, equal(fixed_value(record, column), value)));
    }
  } else {
    const Scope scope{tx, rounds, {&record}, view, write.item},
        any_version{tx, rounds, {&record}, {}, write.item};
    const Truth fits = truth(scope, where_of(item));
    const expr there = alive(view, record);
    require(implies(does, running && fits.may && (own_row || there)));
    if (update != nullptr && txs_[tx].world == 0)
      for (const auto& set : update->sets)
        not_null(scope, facts_.schema()[write.table], set.column, set.value, does);
    const bool recheck = per_statement(tx);  // on the newest version, which may not match or be gone
    // Where rows are passed one by one, one that moves in an index may be met twice or not at all.
    const bool may_miss = passes_rows(tx) && !pinned(tx, write.item, rounds);
    if (!may_miss && !(recheck && keys_come_back(write.table)))
      require(implies(
          running && there && !own_row && (recheck ? truth(any_version, where_of(item)).must : fits.must),
          does));
  }
  return result();
}

// Whether a query with FOR UPDATE locks every row that matches: the server stops at the first row that INTO,
// EXISTS or LIMIT 1 takes, and where the loop over the rows ends.
bool Encoding::locks_all(std::size_t tx, std::size_t item) const {
  const Item& it = item_of(tx, item);
  const sql::Select& select = *it.select;
  if (!select.for_update || select.given_back || select.sources.size() != 1 || select.partial) return false;
  sql::Table table = facts_.schema()[select.sources[0]];
  if (!pinned_key(table, select.where).empty()) return true;
  if (passes_rows(tx)) return false;
  for (const auto& unique : facts_.schema()[select.sources[0]].unique) {
    table.primary_key = unique;
    if (!pinned_key(table, select.where).empty()) return true;
  }
  if (select.stops_early || select.rows == sql::Select::Rows::First || extreme(select) != nullptr)
    return false;
  return it.heads == Item::kNone || !program(tx).loops[it.heads].loop->may_stop_early;
}

expr Encoding::locks(std::size_t tx, std::size_t item, const Rounds& rounds, const Record& record) {
  const Item& it = item_of(tx, item);
  if (it.select == nullptr || !locks_all(tx, item)) return no();
  const std::size_t view = view_of(tx, item, rounds);
  const Scope scope{tx, rounds, {&record}, view, item};
  return happens(tx, item, rounds) && truth(scope, it.select->where).must && alive(view, record);
}

expr Encoding::reads(std::size_t tx, const Read& read, const Rounds& rounds, const Record& record,
                     bool surely) {
  if (read.why == Read::Why::Rows) return reads_rows(tx, read, rounds, record, surely);
  return surely ? no() : reads_other(tx, read, rounds, record);
}

expr Encoding::reads_rows(std::size_t tx, const Read& read, const Rounds& rounds, const Record& record,
                          bool surely) {
  const Item& item = item_of(tx, read.item);
  const std::size_t view = view_of(tx, read, rounds);
  const expr own_row = own(tx, read.item, rounds, record);
  const std::size_t sources = item.select != nullptr ? item.select->sources.size() : 1;
  if (surely && sight(tx, read.item) == Sight::Mixed) return no();
  if (surely && (sources > 1 || (read.column && writes_before(tx, read.item, read.table, read.column)) ||
                 (item.select != nullptr && item.select->partial)))
    return no();
  std::vector<Record> others;
  Scope scope{tx, rounds, std::vector<const Record*>(sources), {}, read.item};
  for (std::size_t s = 0; s < sources; ++s)
    if (s != read.source.index())
      others.push_back(this->record(item.select->sources[s],
                                    fmt::format("join{}.{}.{}@{}", read.item, read.source.value, s, tx),
                                    joined(rounds, record.key)));
  for (std::size_t s = 0, other = 0; s < sources; ++s)
    scope.rows[s] = s == read.source.index() ? &record : &others[other++];
  // An INSERT that updates what was there reads the row with its own key.
  const auto* insert = item.as<sql::Insert>();
  const Truth fits = truth(scope, insert != nullptr ? nullptr : where_of(item));
  expr condition = happens(tx, read.item, rounds) && (surely ? fits.must : fits.may);
  if (insert != nullptr) condition = condition && matches_conflict(Scope{tx, rounds}, *insert, record);
  // A row is in the result only where there is one.
  if (!surely && !read.column && read.alive && says_whether_it_found(item))
    condition = condition && found(tx, read.item, rounds);
  // What changes rows finds those that it changes; others of the view were gone when it got to them.
  if (!surely && !read.column && read.alive && per_statement(tx) && insert == nullptr &&
      written_table(item) == read.table)
    condition =
        condition &&
        writes(tx, {.item = read.item, .table = read.table, .column = {}, .alive = false}, rounds, record);
  expr fits_presence = alive(view, record) == z_.bool_val(read.column || read.alive);
  // A row of the view may be gone when the statement gets to it, also where another one has its key by then.
  if (!surely && !read.column && !read.alive && per_statement(tx) && !passes_rows(tx) &&
      keys_come_back(read.table) && meets_newest_versions(tx, read.item, read.table))
    fits_presence = yes();
  condition = condition && (surely ? !own_row && fits_presence : own_row || fits_presence);
  return condition && concerns_extreme(tx, read, rounds, record, surely);
}

// Whether the row that an INSERT of j inserts may be one that the read of i was about: it has the values that
// the read compares columns with. Of a query only columns that nobody changes count, so that the row cannot
// become one later; of a check of a key all do, because who changes them conflicts with the check itself.
expr Encoding::may_be_looked_for(std::size_t i, const Read& read, const Rounds& at_i, std::size_t j,
                                 const Write& write, const Rounds& at_j) {
  const auto* added = item_of(j, write.item).as<sql::Insert>();
  const bool of_new_row = added != nullptr && added->table == read.table && !write.column && !read.column &&
                          !read.alive && !item_of(j, write.item).spreads;
  expr same = yes();
  if (!of_new_row || facts_.table(read.table).opaque) return same;
  const auto compare_with = [&](sql::ColumnId column, const sql::ExpressionPtr& wanted) {
    const Term a = evaluate(Scope{i, at_i}, wanted),
               b = evaluate(Scope{j, at_j}, added->values[column.index()]);
    if (!a.known || !b.known) return;
    const z3::sort sort = sort_of(facts_.schema()[read.table][column].type);
    same = same && !a.null && !b.null && as_sort(a.value, sort) == as_sort(b.value, sort);
  };
  if (const auto* insert = item_of(i, read.item).as<sql::Insert>()) {
    if (read.why == Read::Why::UniqueKey)
      for (const sql::ColumnId c : facts_.schema()[read.table].unique[read.key])
        compare_with(c, insert->values[c.index()]);
    return same;
  }
  if (read.why != Read::Why::Rows) return same;
  for (const sql::ExpressionPtr& conjunct : conjuncts(where_of(item_of(i, read.item)))) {
    if (conjunct->kind != sql::Expression::Kind::Equal) continue;
    for (const std::size_t side : {0u, 1u}) {
      const sql::Expression& field = *conjunct->kids[side];
      if (field.kind == sql::Expression::Kind::Field && field.source == read.source &&
          !facts_.table(read.table).updated[field.column.index()] &&
          !sql::contains(conjunct->kids[1 - side], sql::Expression::Kind::Field))
        compare_with(field.column, conjunct->kids[1 - side]);
    }
  }
  return same;
}

// At read committed: whether the statement waits for who holds a row that it met, and then looks at what is
// left of the row.
bool Encoding::meets_newest_versions(std::size_t tx, std::size_t item, sql::TableId table) const {
  const Item& it = item_of(tx, item);
  if (it.select != nullptr) return it.select->for_update;
  return written_table(it) == table && it.as<sql::Insert>() == nullptr && !passes_rows(tx);
}

// Whether what such a statement found of the row, when it got to it, is what the writer left or something
// later: a version of the row, or that the row was gone, by this very writer.
expr Encoding::looked_at(std::size_t tx, const Read& read, const Rounds& rounds, const Record& record,
                         std::size_t writer) {
  if (passes_rows(tx) || (!read.column && read.alive)) return yes();
  return apply(fmt::format("{}{} {}@{} by{}", read.column ? "looked" : "gone", read.item,
                           facts_.schema()[record.table].name, tx, writer),
               joined(rounds, record.key), z_.bool_sort());
}

// That the statement missed what the writer did: it came later than all that the statement found of the row.
// Who removed the row may have inserted another one with its key.
expr Encoding::not_looked_at(std::size_t tx, const Read& read, const Rounds& rounds, const Record& record,
                             std::size_t writer) {
  if (passes_rows(tx) || (!read.column && read.alive) || !meets_newest_versions(tx, read.item, read.table))
    return yes();
  expr all = yes();
  for (std::size_t other = 0; other < txs_.size(); ++other) {
    if (other == tx || txs_[other].world > 0) continue;
    const expr looked = looked_at(tx, read, rounds, record, other);
    if (other != writer) all = all && implies(looked, before(other, writer));
    else if (read.column) all = all && !looked;
  }
  return all;
}

// A MIN or MAX depends on rows that are gone only if they would have beaten it, and of those that are there
// only on the one it is.
expr Encoding::concerns_extreme(std::size_t tx, const Read& read, const Rounds& rounds, const Record& record,
                                bool surely) {
  const Item& item = item_of(tx, read.item);
  const sql::Output* output = item.select != nullptr ? extreme(*item.select) : nullptr;
  if (output == nullptr) return yes();
  using Kind = sql::Expression::Kind;
  const std::vector<Record> best = selected(tx, read.item, rounds);
  const Term extreme =
      evaluate(Scope{tx, rounds, {&best[0]}, view_of(tx, read.item, rounds), read.item}, output->value);
  const Scope scope{tx, rounds, {&record}, {}, read.item};
  const Term value = evaluate(scope, output->value);
  const expr is_found = found(tx, read.item, rounds);
  const Kind beats = output->aggregate == sql::Output::Aggregate::Max ? Kind::Greater : Kind::Less;
  const bool there = read.column || read.alive;
  const Truth compared =
      compare(scope, there ? Kind::Equal : beats, output->value->type, value, extreme, nullptr);
  // Columns of the condition count on rows that another value would make the extreme, too.
  if (read.column && !read.of_extreme && !surely) {
    const Truth better = compare(scope, beats, output->value->type, value, extreme, nullptr);
    return !is_found || compared.may || better.may;
  }
  const expr holds = surely ? compared.must : compared.may;
  return there ? is_found && holds : !is_found || holds;
}

expr Encoding::reads_other(std::size_t tx, const Read& read, const Rounds& rounds, const Record& record) {
  const Item& item = item_of(tx, read.item);
  const std::size_t view = view_of(tx, read, rounds);
  const Scope scope{tx, rounds};
  expr condition = happens(tx, read.item, rounds);
  const auto* insert = item.as<sql::Insert>();
  const bool of_any_moment = views_[view].since != Item::kNone;
  if (!read.column && !of_any_moment && !(rechecks_keys(tx) && read.checks()))
    condition =
        condition && (own(tx, read.item, rounds, record) || alive(view, record) == z_.bool_val(read.alive));
  const bool of_own_keys = read.why == Read::Why::NewKey || read.why == Read::Why::UniqueKey ||
                           (read.why == Read::Why::LooseKey && read.alive);
  if (insert != nullptr && insert->conflict != sql::Insert::Conflict::Abort && tells_inserts(tx) &&
      !read.column && of_own_keys && read.table == insert->table) {
    // It read that its keys are free, or that one is taken: at si by a row of the snapshot.
    const expr is_new = inserted(tx, read.item, rounds);
    condition = condition && (read.alive ? !is_new : is_new);
    if (read.alive) condition = condition && (own(tx, read.item, rounds, record) || alive(view, record));
  }
  switch (read.why) {
    case Read::Why::NewKey:
      return condition && matches_insert(scope, *insert, record, facts_.schema()[insert->table].primary_key);
    case Read::Why::UniqueKey:
      return condition &&
             matches_insert(scope, *insert, record, facts_.schema()[insert->table].unique[read.key]);
    case Read::Why::Parent: {
      if (insert == nullptr) return condition;  // of an UPDATE: any parent
      const sql::ForeignKey& key = facts_.schema()[insert->table].foreign_keys[read.key];
      for (std::size_t c = 0; c < key.columns.size(); ++c) {
        const Term value = evaluate(scope, insert->values[key.columns[c].index()]);
        condition = condition && !value.null;
        if (!facts_.fixed(record.table, key.target_columns[c])) continue;
        const Term stored = fixed_value(record, key.target_columns[c]);
        condition = condition && stored.value == as_sort(value.value, stored.value.get_sort());
      }
      return condition;
    }
    case Read::Why::Children: {
      const sql::ForeignKey& key = facts_.schema()[read.table].foreign_keys[read.key];
      const auto row = pinned(tx, read.item, rounds);
      const sql::Table& parent = facts_.schema()[written_table(item)];
      for (std::size_t c = 0; row && c < key.columns.size(); ++c) {
        const auto place = std::ranges::find(parent.primary_key, key.target_columns[c]);
        if (place == parent.primary_key.end() || !facts_.fixed(record.table, key.columns[c])) continue;
        const Term stored = fixed_value(record, key.columns[c]);
        condition =
            condition && !stored.null &&
            stored.value == as_sort(row->key[place - parent.primary_key.begin()], stored.value.get_sort());
      }
      return condition;
    }
    case Read::Why::LooseKey: return condition && changes_key_of_another(tx, read, rounds, record);
    default: return condition;
  }
}

}  // namespace assay::analysis
