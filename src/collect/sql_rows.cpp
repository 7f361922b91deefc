// The statements of SqlText for a table of rows.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "collect/sql_text.h"

namespace assay {
namespace {

std::string columns_of(const RowTable& rows) {
  return fmt::format("{}", fmt::join(rows.tables()[0].columns, ", "));
}

std::string values_of(const RowTable& rows, StoreKey key, std::int64_t row) {
  std::string text = fmt::format("({}", key.value);
  for (const RowColumn column : rows.columns()) text += fmt::format(",{}", column_of(row, column));
  return text + ")";
}

}  // namespace

RowStatement select_by(RowColumn column) {
  return column == RowColumn::V1   ? RowStatement::SelectByV1
         : column == RowColumn::V2 ? RowStatement::SelectByV2
                                   : RowStatement::SelectByValue;
}

RowStatement update_by(RowColumn column) {
  ASSAY_REQUIRE(column != RowColumn::Value);
  return column == RowColumn::V1 ? RowStatement::UpdateByV1 : RowStatement::UpdateByV2;
}

bool returns_rows(RowStatement statement) {
  using enum RowStatement;
  return statement == Read || statement == Scan || statement == SelectByValue || statement == SelectByV1 ||
         statement == SelectByV2;
}

// Columns that predicates ask for have an index: without one InnoDB locks every row that it looks at.
Result<void> SqlText::create_rows(const RowTable& rows, const Execute& execute) const {
  const std::string table = named(rows.tables()[0]);
  std::string index = table;
  std::ranges::replace(index, '.', '_');
  for (const std::string_view column : rows.tables()[0].columns)
    ASSAY_TRY(execute(fmt::format("CREATE INDEX {}_{} ON {} ({})", index, column, table, column)));
  const std::string insert = fmt::format("INSERT INTO {} (k, {}) VALUES ", table, columns_of(rows));
  std::string values;
  std::size_t count = 0;
  for (std::size_t key = 0; key < rows.initial().size(); ++key) {
    if (rows.initial()[key] == kNoRow) continue;
    values += (values.empty() ? "" : ",") + values_of(rows, StoreKey(key), rows.initial()[key]);
    if (++count % kRowsOfAnInsert != 0) continue;
    ASSAY_TRY(execute(insert + values));
    values.clear();
  }
  return values.empty() ? Result<void>() : execute(insert + values);
}

std::vector<std::string> SqlText::row_statements() const {
  const RowTable* const rows = layout_->rows();
  if (rows == nullptr) return {};
  const std::string table = named(rows->tables()[0]), first = parameter(1);
  const auto find = [&](std::string_view where) {
    return fmt::format("SELECT k, {} FROM {} WHERE {}", columns_of(*rows), table, where);
  };
  const auto between = [&](std::string_view column) {
    return find(fmt::format("{} BETWEEN {} AND {}", column, first, parameter(2)));
  };
  std::vector<std::string> all(static_cast<std::size_t>(RowStatement::UpdateByV2) + 1);
  const auto statement = [&](RowStatement number) -> std::string& {
    return all[static_cast<std::size_t>(number)];
  };
  std::vector<std::string> given;
  for (const std::string_view column : rows->tables()[0].columns)
    given.push_back(dialect_.on_duplicate_key ? fmt::format("{0} = VALUES({0})", column)
                                              : fmt::format("{0} = EXCLUDED.{0}", column));
  const std::string_view on_conflict =
      dialect_.on_duplicate_key ? "ON DUPLICATE KEY UPDATE" : "ON CONFLICT (k) DO UPDATE SET";
  statement(RowStatement::Read) = find("k = " + first);
  statement(RowStatement::Write) =
      insert_row(*rows, fmt::format("{} {}", on_conflict, fmt::join(given, ", ")));
  statement(RowStatement::Insert) =
      insert_row(*rows, dialect_.on_duplicate_key ? "" : "ON CONFLICT (k) DO NOTHING");
  statement(RowStatement::Delete) = fmt::format("DELETE FROM {} WHERE k = {}", table, first);
  statement(RowStatement::Scan) = between("k");
  for (const RowColumn column : rows->columns()) {
    statement(select_by(column)) = between(name_of(column));
    if (rows->has_two_columns()) statement(update_by(column)) = update_by_predicate(*rows, column);
  }
  return all;
}

std::string SqlText::insert_row(const RowTable& rows, std::string_view otherwise) const {
  std::string values = parameter(1);
  for (std::size_t i = 0; i < rows.columns().size(); ++i) values += ", " + parameter(i + 2);
  return fmt::format("INSERT INTO {} (k, {}) VALUES ({}) {}", named(rows.tables()[0]), columns_of(rows),
                     values, otherwise);
}

std::string SqlText::update_by_predicate(const RowTable& rows, RowColumn by) const {
  const RowColumn changed = updated_column({.column = by});
  const std::string where =
      fmt::format("WHERE {} BETWEEN {} AND {}", name_of(by), parameter(2), parameter(3));
  std::string value = fmt::format("(k * {} + {}) % {}", row_stride(changed), parameter(1), kRowDomain);
  if (!dialect_.returning)
    value += " + 0 * LENGTH(@assay_rows := CONCAT(@assay_rows, k, ',', v1, ',', v2, ','))";
  return fmt::format("UPDATE {} SET {} = {} {}{}", named(rows.tables()[0]), name_of(changed), value, where,
                     dialect_.returning ? " RETURNING k, " + columns_of(rows) : "");
}

}  // namespace assay
