// Rows that a database can hold: a witness that no server would take shows nothing.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "analysis/encoding.h"

namespace assay::analysis {

using z3::expr;
using z3::implies;

expr Encoding::keeps_unique_keys() {
  z3::expr_vector all(z_);
  const std::vector<Record> rows = all_records();
  for (std::size_t a = 0; a < rows.size(); ++a)
    for (std::size_t b = a + 1; b < rows.size(); ++b) {
      if (rows[a].table != rows[b].table) continue;
      const sql::Table& table = facts_.schema()[rows[a].table];
      for (const auto& unique : table.unique) {
        expr apart = same_key(rows[a], rows[b]);
        for (const sql::ColumnId column : unique) {
          const Term x = initial_value(rows[a], column), y = initial_value(rows[b], column);
          apart = apart || x.null || y.null || x.value != y.value;
        }
        all.push_back(implies(initially_alive(rows[a]) && initially_alive(rows[b]), apart));
      }
    }
  return z3::mk_and(all);
}

expr Encoding::aggregates_find_rows(std::size_t calls) {
  z3::expr_vector all(z_);
  for (std::size_t tx = 0; tx < calls; ++tx)
    for (std::size_t item = 0; item < program(tx).items.size(); ++item) {
      const Item& it = item_of(tx, item);
      if (it.select == nullptr || it.select->rows != sql::Select::Rows::Aggregate) continue;
      const bool sums = std::ranges::any_of(it.select->outputs, [&](const sql::Output& output) {
        return output.aggregate == sql::Output::Aggregate::Sum ||
               (output.aggregate == sql::Output::Aggregate::Count && it.select->sources.size() > 1);
      });
      if (!sums) continue;
      for (const Rounds& at : known_rounds(tx, it.loops))
        all.push_back(implies(happens(tx, item, at), found(tx, item, at)));
    }
  return z3::mk_and(all);
}

// Queries of one row find it: what they did not find would be NULL, which few programs expect.
expr Encoding::queries_find_rows(std::size_t calls) {
  z3::expr_vector all(z_);
  for (std::size_t tx = 0; tx < calls; ++tx)
    for (std::size_t item = 0; item < program(tx).items.size(); ++item) {
      const sql::Select* select = item_of(tx, item).as<sql::Select>();
      if (select == nullptr || select->rows != sql::Select::Rows::First) continue;
      const bool gives = std::ranges::any_of(select->outputs, [](const sql::Output& output) {
        return !output.into.is_none() && output.value && sql::depends_on_row(output.value);
      });
      for (const Rounds& at : known_rounds(tx, item_of(tx, item).loops))
        if (gives) all.push_back(implies(happens(tx, item, at), found(tx, item, at)));
    }
  return z3::mk_and(all);
}

// What calls insert and set the server takes: no NULL where none may be, and no key twice, unless somebody
// deleted the row in between.
expr Encoding::writes_are_taken(std::size_t calls) {
  z3::expr_vector all(z_);
  struct New {
    std::size_t tx;
    expr happens;
    Record row;
    std::vector<Term> values{};
  };
  std::vector<New> inserted;
  for (std::size_t tx = 0; tx < calls; ++tx)
    for (std::size_t item = 0; item < program(tx).items.size(); ++item) {
      const auto* insert = item_of(tx, item).as<sql::Insert>();
      const auto* update = item_of(tx, item).as<sql::Update>();
      if (insert == nullptr && update == nullptr) continue;
      const sql::Table& table = facts_.schema()[insert != nullptr ? insert->table : update->table];
      for (const Rounds& at : known_rounds(tx, item_of(tx, item).loops)) {
        const expr running = happens(tx, item, at);
        const auto not_null = [&](const Scope& scope, sql::ColumnId column, const sql::ExpressionPtr& value) {
          if (table[column].nullable) return;
          all.push_back(implies(running, !evaluate(scope, value).null));
          // Most functions make NULL of NULL.
          sql::walk(value, [&](const sql::Expression& part) {
            if (part.kind == sql::Expression::Kind::Variable && !(*program(tx).program)[part.variable].is_set)
              all.push_back(implies(running, !variable(tx, part.variable, at).null));
          });
        };
        if (update != nullptr) {
          const std::vector<Record> rows = selected(tx, item, at);
          for (const auto& set : update->sets)
            not_null(Scope{tx, at, {&rows[0]}, view_of(tx, item, at), item}, set.column, set.value);
          continue;
        }
        for (std::size_t c = 0; c < insert->values.size(); ++c)
          not_null(Scope{tx, at}, sql::ColumnId(c), insert->values[c]);
        if (insert->conflict == sql::Insert::Conflict::Update) continue;
        const auto row = pinned(tx, item, at);
        if (!row) continue;
        inserted.push_back({tx, writes(tx, {item, insert->table, {}, true}, at, *row), *row});
        for (const sql::ExpressionPtr& value : insert->values)
          inserted.back().values.push_back(evaluate(Scope{tx, at}, value));
      }
    }
  for (const New& a : inserted) {
    expr deleted = no();
    for (const Event& event : events_on(a.row, 0))
      if (!event.write->column && !event.write->alive) deleted = deleted || event.happens;
    all.push_back(implies(a.happens && initially_alive(a.row), deleted));
    const auto apart = [&](const expr& there, const auto& value_of) {
      for (const auto& unique : facts_.schema()[a.row.table].unique) {
        expr differs = no();
        for (const sql::ColumnId column : unique) {
          const Term mine = a.values[column.index()], other = value_of(column);
          const z3::sort sort = mine.value.is_real() ? mine.value.get_sort() : other.value.get_sort();
          differs =
              differs || mine.null || other.null || as_sort(mine.value, sort) != as_sort(other.value, sort);
        }
        all.push_back(implies(a.happens && there, differs));
      }
    };
    for (const New& b : inserted) {
      if (a.tx == b.tx || a.row.table != b.row.table) continue;
      all.push_back(implies(a.happens && b.happens && same_key(a.row, b.row), deleted));
      apart(b.happens, [&](sql::ColumnId column) { return b.values[column.index()]; });
    }
    for (const Record& other : all_records())
      if (other.table == a.row.table)
        apart(initially_alive(other) && !same_key(other, a.row),
              [&](sql::ColumnId column) { return initial_value(other, column); });
  }
  return z3::mk_and(all);
}

namespace {

// The numbers of a column of this type are below this.
double limit_of(const std::string& declared) {
  int digits = 0, scale = 0;
  const auto open = declared.find('(');
  const bool decimal = declared.starts_with("numeric") || declared.starts_with("decimal");
  if (decimal && open != declared.npos &&
      std::sscanf(declared.c_str() + open, "(%d,%d", &digits, &scale) >= 1)
    return std::pow(10.0, digits - scale);
  if (declared == "smallint" || declared == "int2" || declared == "smallserial") return 32767;
  return 2e9;
}

}  // namespace

expr Encoding::fits_types() {
  z3::expr_vector all(z_);
  for (const Record& row : all_records()) {
    const sql::Table& table = facts_.schema()[row.table];
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const sql::Column& column = table.columns[c];
      if (column.type != sql::Type::Integer && column.type != sql::Type::Decimal) continue;
      if (table.in_primary_key(sql::ColumnId(c))) continue;
      const Term value = initial_value(row, sql::ColumnId(c));
      const double limit = limit_of(column.declared);
      const expr most = value.value.is_real() && limit <= 1
                            ? z_.real_val(1, 2)
                            : z_.int_val(static_cast<std::int64_t>(std::min(limit - 1, 1000.0)));
      const expr least = value.value.is_real() && limit <= 1 ? z_.real_val(0) : z_.int_val(limit > 1 ? 1 : 0);
      const auto same_sort = [&](const expr& e) {
        return value.value.is_real() && e.is_int() ? z3::to_real(e) : e;
      };
      all.push_back(implies(initially_alive(row) && !value.null,
                            value.value >= same_sort(least) && value.value <= same_sort(most)));
    }
  }
  return z3::mk_and(all);
}

}  // namespace assay::analysis
