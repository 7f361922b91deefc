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
      const bool sums = std::ranges::any_of(it.select->outputs, [](const sql::Output& output) {
        return output.aggregate == sql::Output::Aggregate::Sum;
      });
      if (!sums) continue;
      for (const Rounds& at : known_rounds(tx, it.loops))
        all.push_back(implies(happens(tx, item, at), found(tx, item, at)));
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
