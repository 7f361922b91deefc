// What constraints of the schema say about executions: the server refuses what violates them.
//
// A check of a key or a foreign key looks at what is committed and holds until the end of the transaction, by
// a lock on the index entry or on the row. So whoever would make it fail comes after the transaction in
// arbitration (`holds_what_it_checks`).
//
// A program that looks for a key, does not find it and then puts it there has looked twice: the server looked
// again when it put the key into the index. In between others may have come and gone with the key, but at
// that moment it was free, as the program's own query said. So the query may be counted as one of that
// moment: what it told is the same, and a serial order in which it tells the same is all that is asked for.
// Then its dependencies go with arbitration, and of two programs that check and then insert one key no cycle
// is left
// (`looks_again`). This needs that the transaction itself did not free the key in between.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/encoding.h"

namespace assay::analysis {

using z3::expr;
using z3::implies;

// Whether it is known of each INSERT of the transaction if it inserted its row: so it is where servers check
// keys as PostgreSQL does.
bool Encoding::tells_inserts(std::size_t tx) const {
  return txs_[tx].world == 0 && facts_.enforces_constraints() &&
         !facts_.levels().row(txs_[tx].program).of_mariadb();
}

// Whether the INSERT inserted its row, and did not meet another with one of its keys (ON CONFLICT).
expr Encoding::inserted(std::size_t tx, std::size_t item, const Rounds& rounds) {
  const auto* insert = item_of(tx, item).as<sql::Insert>();
  const expr running = happens(tx, item, rounds);
  if (insert->conflict == sql::Insert::Conflict::Abort) return running;
  return running && apply(fmt::format("inserts{}@{}", item, tx), rounds, z_.bool_sort());
}

// Whether what the read found holds until the end. ON CONFLICT holds nothing where it met a row.
expr Encoding::holds_what_it_checks(std::size_t tx, const Read& read, const Rounds& rounds) {
  if (!facts_.enforces_constraints() || !read.checks()) return no();
  const auto* insert = item_of(tx, read.item).as<sql::Insert>();
  const bool plain = insert != nullptr && insert->conflict == sql::Insert::Conflict::Abort;
  switch (read.why) {
    case Read::Why::NewKey:
    case Read::Why::UniqueKey:
      if (read.alive) return no();
      if (!tells_inserts(tx)) return z_.bool_val(plain && !read.column);
      return inserted(tx, read.item, rounds);
    case Read::Why::LooseKey:
      if (!tells_inserts(tx)) return no();
      if (insert == nullptr || plain) return yes();  // it went through
      return z_.bool_val(!read.alive) && inserted(tx, read.item, rounds);
    case Read::Why::Parent:
    case Read::Why::Children: return yes();
    default: return no();
  }
}

// Whether the transaction may have removed a row of the table, or changed its key, before the item or between
// rounds of a loop around it: then the key may be free because of that.
bool Encoding::frees_key_before(std::size_t tx, std::size_t item, sql::TableId table,
                                std::span<const sql::ColumnId> key) const {
  const auto& items = program(tx).items;
  return std::ranges::any_of(footprints_[txs_[tx].program].writes, [&](const Write& write) {
    const bool share_loop = !items[item].loops.empty() && !items[write.item].loops.empty() &&
                            items[item].loops[0] == items[write.item].loops[0];
    const bool frees = write.column ? std::ranges::count(key, *write.column) > 0 : !write.alive;
    return write.table == table && frees && (write.item < item || share_loop);
  });
}

// What the statement gives the column of the row that it inserts or changes, free of fields; or null.
sql::ExpressionPtr Encoding::given(const Item& item, sql::ColumnId column) const {
  sql::ExpressionPtr value;
  if (const auto* insert = item.as<sql::Insert>()) {
    value = insert->values[column.index()];
  } else if (const auto* update = item.as<sql::Update>()) {
    sql::Table key = facts_.schema()[update->table];
    key.primary_key = {column};
    if (const auto pinned = pinned_key(key, update->where); !pinned.empty()) value = pinned[0];
    for (const auto& set : update->sets)
      if (set.column == column) value = set.value;
  }
  return value && !sql::contains(value, sql::Expression::Kind::Field) ? value : nullptr;
}

// The expression over the row that the statement leaves; null where a part of it is not known.
sql::ExpressionPtr Encoding::of_new_row(const Item& item, const sql::ExpressionPtr& e) const {
  if (e->kind == sql::Expression::Kind::Field) return given(item, e->column);
  if (e->kids.empty()) return e;
  auto copy = std::make_shared<sql::Expression>(*e);
  for (sql::ExpressionPtr& kid : copy->kids) {
    const bool is_field = kid->kind == sql::Expression::Kind::Field;
    const std::string type = is_field ? kid->declared : std::string();
    kid = of_new_row(item, kid);
    if (!kid) return nullptr;
    // A value of another type may be changed on its way into the column.
    const bool as_it_is = kid->kind == sql::Expression::Kind::Constant ||
                          (kid->kind == sql::Expression::Kind::Variable && !type.empty() &&
                           kid->declared == type && type.find('(') == type.npos);
    if (is_field && !as_it_is) return nullptr;
  }
  return copy;
}

// What the condition says that the part of a row is like: `part operation value`, the value free of fields.
sql::ExpressionPtr Encoding::looked_for(const sql::ExpressionPtr& where, const sql::RowKey::Part& part) {
  for (const sql::ExpressionPtr& conjunct : conjuncts(where)) {
    const bool equal = part.operation == "=" && conjunct->kind == sql::Expression::Kind::Equal;
    const bool alike = conjunct->kind == sql::Expression::Kind::Unknown &&
                       conjunct->text == "({} " + part.operation + " {})";
    if ((!equal && !alike) || conjunct->kids.size() != 2) continue;
    for (const std::size_t side : {0u, 1u})
      if (sql::same_expression(conjunct->kids[side], part.value) &&
          !sql::contains(conjunct->kids[1 - side], sql::Expression::Kind::Field))
        return conjunct->kids[1 - side];
  }
  return nullptr;
}

// Whether the server looked again for what the query did not find, and did not find it either: `record` is
// not there, or does not match.
expr Encoding::looks_again(std::size_t tx, const Read& read, const Rounds& rounds, const Record& record) {
  const Item& query = item_of(tx, read.item);
  if (!tells_inserts(tx) || read.why != Read::Why::Rows) return no();
  const sql::Table& table = facts_.schema()[read.table];
  expr any = no();
  for (std::size_t item = read.item + 1; item < program(tx).items.size(); ++item) {
    const Item& later = item_of(tx, item);
    const auto* insert = later.as<sql::Insert>();
    const bool in_same_rounds = later.loops.size() <= query.loops.size() &&
                                std::equal(later.loops.begin(), later.loops.end(), query.loops.begin());
    if (written_table(later) != read.table || !in_same_rounds ||
        (insert == nullptr && !later.as<sql::Update>()))
      continue;
    const Rounds at(rounds.begin(), rounds.begin() + static_cast<std::ptrdiff_t>(later.loops.size()));
    const auto row = pinned(tx, item, at);
    if (insert != nullptr && row && !read.column && !read.alive &&
        !frees_key_before(tx, item, read.table, {}))
      any = any || (inserted(tx, item, at) && same_key(*row, record));
    for (const std::vector<sql::ColumnId>& columns : table.unique) {
      sql::RowKey key;
      for (const sql::ColumnId c : columns)
        key.parts.push_back({sql::typed(sql::field(c, table[c].type), table[c].declared)});
      any = any || puts_key_looked_for(tx, read, rounds, record, item, at, key);
    }
    for (const sql::RowKey& key : table.row_keys)
      any = any || puts_key_looked_for(tx, read, rounds, record, item, at, key);
  }
  return any;
}

// An UPDATE is checked where it changes a row, and against the other rows.
expr Encoding::changes_key_of_another(std::size_t tx, const Read& read, const Rounds& rounds,
                                      const Record& record) {
  const auto* update = item_of(tx, read.item).as<sql::Update>();
  const auto row = pinned(tx, read.item, rounds);
  if (update == nullptr || !row || read.table != update->table || moves_rows(facts_.schema(), *update))
    return yes();
  const Write write{.item = read.item, .table = read.table, .column = update->sets[0].column};
  return writes(tx, write, rounds, *row) && !same_key(*row, record);
}

// What is put into a column that is NOT NULL is not NULL.
void Encoding::not_null(const Scope& scope, const sql::Table& table, sql::ColumnId column,
                        const sql::ExpressionPtr& value, const expr& when) {
  if (table[column].nullable || sql::contains(value, sql::Expression::Kind::Field)) return;
  const Term term = evaluate(Scope{scope.tx, scope.rounds}, value);
  if (term.known) fail(scope.tx, when && term.null);
}

// The query looked for the rows with a key and found none, and the statement puts that key into a row,
// another one than `record`. Whatever the query would have found is a row that the server refuses beside the
// new one.
expr Encoding::puts_key_looked_for(std::size_t tx, const Read& read, const Rounds& rounds,
                                   const Record& record, std::size_t item, const Rounds& at,
                                   const sql::RowKey& key) {
  const Item &query = item_of(tx, read.item), &later = item_of(tx, item);
  if (!says_whether_it_found(query) || query.select->sources.size() != 1 || query.select->skips_locked)
    return no();
  std::vector<sql::ColumnId> columns;
  const auto add_columns = [&](const sql::ExpressionPtr& e) {
    sql::walk(e, [&](const sql::Expression& part) {
      if (part.kind == sql::Expression::Kind::Field) columns.push_back(part.column);
    });
  };
  for (const sql::RowKey::Part& part : key.parts) add_columns(part.value);
  add_columns(key.where);
  if (frees_key_before(tx, item, read.table, columns)) return no();

  expr all = !found(tx, read.item, rounds);
  for (const sql::RowKey::Part& part : key.parts) {
    const sql::ExpressionPtr wanted = looked_for(query.select->where, part),
                             put = of_new_row(later, part.value);
    if (!wanted || !put) return no();
    const Term value = evaluate(Scope{tx, rounds}, wanted);
    if (!value.known) return no();
    all = all && !value.null;
    if (sql::same_expression(wanted, put)) continue;
    if (part.operation != "=" || part.value->kind != sql::Expression::Kind::Field) return no();
    const Term stored = evaluate(Scope{tx, at}, put);
    if (!stored.known) return no();
    const z3::sort sort = sort_of(part.value->type);
    all = all && !stored.null && as_sort(value.value, sort) == as_sort(stored.value, sort);
  }
  for (const sql::ExpressionPtr& condition : conjuncts(key.where)) {
    const auto asked = conjuncts(query.select->where);
    const sql::ExpressionPtr of_new = of_new_row(later, condition);
    if (!of_new || sql::contains(of_new, sql::Expression::Kind::Unknown) ||
        std::ranges::none_of(asked, [&](const auto& c) { return sql::same_expression(c, condition); }) ||
        !truth(Scope{tx, at}, of_new).must.simplify().is_true())
      return no();
  }
  if (later.as<sql::Insert>() != nullptr) return all && inserted(tx, item, at);
  const auto* update = later.as<sql::Update>();
  const auto row = pinned(tx, item, at);
  const auto set = std::ranges::find_if(
      update->sets, [&](const auto& s) { return std::ranges::count(columns, s.column) > 0; });
  if (!row || set == update->sets.end() || moves_rows(facts_.schema(), *update)) return no();
  const Write write{.item = item, .table = read.table, .column = set->column};
  return all && writes(tx, write, at, *row) && !same_key(*row, record);
}

// Of foreign keys to rows that are there all the time or never: the server refuses what points to none.
void Encoding::parents_are_there(const Scope& scope, const sql::Insert& insert, const expr& inserts) {
  if (!facts_.enforces_constraints()) return;
  for (const sql::ForeignKey& key : facts_.schema()[insert.table].foreign_keys) {
    const sql::Table& parents = facts_.schema()[key.target];
    if (facts_.table(key.target).presence_changes() || parents.primary_key.empty() ||
        !std::ranges::is_permutation(key.target_columns, parents.primary_key))
      continue;
    Record parent{key.target, {}};
    expr points = inserts;
    for (const sql::ColumnId column : parents.primary_key) {
      const std::size_t place = std::ranges::find(key.target_columns, column) - key.target_columns.begin();
      const Term value = evaluate(scope, insert.values[key.columns[place].index()]);
      points = points && z_.bool_val(value.known) && !value.null;
      parent.key.push_back(as_sort(value.value, sort_of(parents[column].type)));
    }
    require(implies(points, apply("alive " + parents.name, parent.key, z_.bool_sort())));
  }
}

// Of two rows with one unique key the server refuses the second. Where rows and their keys stay for good, the
// key tells the row, whoever inserted it and whenever.
void Encoding::unique_axioms() {
  if (!facts_.enforces_constraints()) return;
  const auto tells = [&](const Record& row, std::size_t u, const expr& when,
                         const std::vector<Term>& values) {
    const sql::Table& table = facts_.schema()[row.table];
    expr given = when;
    std::vector<expr> key;
    for (std::size_t c = 0; c < values.size(); ++c) {
      given = given && !values[c].null;
      key.push_back(as_sort(values[c].value, sort_of(table[table.unique[u][c]].type)));
    }
    for (std::size_t part = 0; part < row.key.size(); ++part)
      require(implies(given, apply(fmt::format("row of {}.{}.{}", table.name, u, part), key,
                                   row.key[part].get_sort()) == row.key[part]));
  };
  // The columns of a primary key never change, but another row may take over a part of one that was deleted.
  const auto lasting = [&](sql::TableId table, std::size_t u) {
    const TableFacts& rows = facts_.table(table);
    if (rows.opaque || (rows.deleted && rows.inserted)) return false;
    return std::ranges::all_of(facts_.schema()[table].unique[u],
                               [&](sql::ColumnId c) { return facts_.fixed(table, c); });
  };
  for (std::size_t tx = 0; tx < txs_.size(); ++tx)
    for (std::size_t item = 0; item < program(tx).items.size(); ++item) {
      const auto* insert = item_of(tx, item).as<sql::Insert>();
      if (insert == nullptr || txs_[tx].world > 0) continue;
      for (const Rounds& at : known_rounds(tx, item_of(tx, item).loops)) {
        const auto row = pinned(tx, item, at);
        if (!row) continue;
        const Write write{.item = item, .table = insert->table, .column = {}, .alive = true};
        const expr inserts = writes(tx, write, at, *row);
        for (std::size_t u = 0; u < facts_.schema()[insert->table].unique.size(); ++u) {
          if (!lasting(insert->table, u)) continue;
          std::vector<Term> values;
          bool known = true;
          for (const sql::ColumnId column : facts_.schema()[insert->table].unique[u]) {
            values.push_back(evaluate(Scope{tx, at}, insert->values[column.index()]));
            known = known && values.back().known;
          }
          if (known) tells(*row, u, inserts, values);
        }
      }
    }
  for (const Record& row : records_)
    for (std::size_t u = 0; u < facts_.schema()[row.table].unique.size(); ++u) {
      if (!lasting(row.table, u) || facts_.schema()[row.table].primary_key.empty()) continue;
      std::vector<Term> values;
      for (const sql::ColumnId column : facts_.schema()[row.table].unique[u])
        values.push_back(fixed_value(row, column));
      for (std::size_t view = 0; view < views_.size(); ++view)
        if (txs_[views_[view].tx].world == 0) tells(row, u, alive(view, row), values);
    }
}

}  // namespace assay::analysis
