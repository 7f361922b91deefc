// Statements of a replayed program that change rows: before each, a query locks and reads what it will
// change.
#include <fmt/format.h>

#include <algorithm>

#include "cli/replay_program.h"

namespace assay::cli {
namespace {

void add_fields(const sql::ExpressionPtr& expression, std::set<sql::ColumnId>& columns) {
  sql::walk(expression, [&](const sql::Expression& part) {
    if (part.kind == sql::Expression::Kind::Field) columns.insert(part.column);
  });
}

// A value that PostgreSQL would have chosen by itself, and on which nothing depends.
sql::ExpressionPtr some_value(sql::Type type) {
  constexpr std::string_view values[] = {"0", "0", "", "false", "2024-01-01", ""};
  return sql::constant(type, std::string(values[static_cast<std::size_t>(type)]));
}

// Of a row with all its columns; empty where the table has no primary key.
RowKey key_among(const sql::Table& table, const SqlRow& values) {
  RowKey key;
  for (const sql::ColumnId column : table.primary_key) key.push_back(values[column.index()].value_or(""));
  return key;
}

}  // namespace

bool ReplayProgram::lock(sql::TableId table, const sql::ExpressionPtr& where,
                         const std::set<sql::ColumnId>& columns) {
  if (schema_[table].primary_key.empty()) return true;
  sql::Select rows_of{.sources = {table}, .where = where, .rows = sql::Select::Rows::All};
  for (const sql::ColumnId column : columns)
    rows_of.outputs.push_back({.value = sql::field(column, schema_[table][column].type)});
  sql::Select asked = rows_of;
  asked.outputs.clear();
  for (const sql::ColumnId column : schema_[table].primary_key)
    asked.outputs.push_back({.value = sql::field(column, schema_[table][column].type)});
  const auto read = columns_read(rows_of);
  for (const sql::ColumnId column : read[0])
    asked.outputs.push_back({.value = sql::field(column, schema_[table][column].type)});
  asked.outputs.push_back({.value = made_by("")});
  std::string text;
  if (!spelled(sql::to_sql(asked, schema_, spell_), text)) return false;
  std::vector<SqlRow> rows;
  if (!query(transaction_, text + " FOR NO KEY UPDATE", rows)) return false;
  std::vector<RowKey> given;
  for (const SqlRow& row : rows) given.push_back(key_of(table, row, 0));
  record_rows(rows_of, rows, 0);
  record_missed(rows_of, given, "");
  return true;
}

// RETURNING gives the program's columns first, then those we asked for.
bool ReplayProgram::returned(const std::vector<sql::Output>& returning, const sql::Effect& effect,
                             const std::vector<SqlRow>& rows) {
  for (std::size_t i = 0; i < returning.size(); ++i)
    if (!returning[i].into.is_none()) values_[returning[i].into] = rows.empty() ? std::nullopt : rows[0][i];
  tell(effect, rows.size());
  return true;
}

bool ReplayProgram::insert(sql::Insert insert, const sql::Statement& statement) {
  before_statement_(statement.number);
  const sql::Table& table = schema_[insert.table];
  for (std::size_t i = 0; i < insert.values.size(); ++i) {
    const sql::Expression& value = *insert.values[i];
    if (value.kind == sql::Expression::Kind::Unknown && value.text.empty() && value.kids.empty())
      insert.values[i] = some_value(table.columns[i].type);
  }
  std::string text;
  if (!spelled(sql::to_sql({insert, statement.place, statement.number}, schema_, spell_), text)) return false;
  text += (insert.returning.empty() ? " RETURNING " : ", ") + all_columns(insert.table) + ", (xmax = 0)";
  std::vector<SqlRow> rows;
  if (!query(transaction_, text, rows)) return false;
  const std::size_t own = insert.returning.size();
  for (const SqlRow& row : rows) {
    const SqlRow values(row.begin() + static_cast<std::ptrdiff_t>(own), row.end() - 1);
    const RowKey key = key_among(table, values);
    if (key.empty()) continue;
    record_.versions.push_back({insert.table, key, values});
    const bool made = row.back() == "t";
    if (made) record_.entries.push_back({ReplayRecord::Entry::Kind::Insert, insert.table, key});
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const bool set = made ? !table.in_primary_key(sql::ColumnId(c))
                            : std::ranges::find(insert.sets, sql::ColumnId(c), &sql::Insert::Set::column) !=
                                  insert.sets.end();
      if (set)
        record_.entries.push_back(
            {ReplayRecord::Entry::Kind::Write, insert.table, key, sql::ColumnId(c), values[c]});
    }
  }
  return returned(insert.returning, insert.effect, rows);
}

bool ReplayProgram::update(const sql::Update& update, const sql::Statement& statement) {
  before_statement_(statement.number);
  const sql::Table& table = schema_[update.table];
  std::set<sql::ColumnId> columns;
  for (const sql::Insert::Set& set : update.sets) add_fields(set.value, columns);
  if (!lock(update.table, update.where, columns)) return false;
  std::string text;
  if (!spelled(sql::to_sql(statement, schema_, spell_), text)) return false;
  text += (update.returning.empty() ? " RETURNING " : ", ") + all_columns(update.table);
  std::vector<SqlRow> rows;
  if (!query(transaction_, text, rows)) return false;
  for (const SqlRow& row : rows) {
    const SqlRow values(row.begin() + static_cast<std::ptrdiff_t>(update.returning.size()), row.end());
    const RowKey key = key_among(table, values);
    if (key.empty()) continue;
    record_.versions.push_back({update.table, key, values});
    for (const sql::Insert::Set& set : update.sets)
      record_.entries.push_back({ReplayRecord::Entry::Kind::Write, update.table, key, set.column,
                                 values[set.column.index()], last_seen_[{update.table, key}]});
  }
  return returned(update.returning, update.effect, rows);
}

bool ReplayProgram::erase(const sql::Delete& erase, const sql::Statement& statement) {
  before_statement_(statement.number);
  std::set<sql::ColumnId> columns;
  if (!lock(erase.table, erase.where, columns)) return false;
  std::string text;
  if (!spelled(sql::to_sql(statement, schema_, spell_), text)) return false;
  text += (erase.returning.empty() ? " RETURNING " : ", ") + all_columns(erase.table);
  std::vector<SqlRow> rows;
  if (!query(transaction_, text, rows)) return false;
  for (const SqlRow& row : rows) {
    const SqlRow values(row.begin() + static_cast<std::ptrdiff_t>(erase.returning.size()), row.end());
    const RowKey key = key_among(schema_[erase.table], values);
    if (!key.empty()) record_.entries.push_back({ReplayRecord::Entry::Kind::Delete, erase.table, key});
  }
  return returned(erase.returning, erase.effect, rows);
}

}  // namespace assay::cli
