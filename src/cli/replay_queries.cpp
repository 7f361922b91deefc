// Queries of a replayed program, and what is recorded of them: the rows they found and those they missed.
#include <fmt/format.h>

#include <algorithm>

#include "cli/replay_program.h"

namespace assay::cli {
namespace {

bool is_extreme(const sql::Select& select) {
  return select.rows == sql::Select::Rows::Aggregate && select.outputs.size() == 1 &&
         (select.outputs[0].aggregate == sql::Output::Aggregate::Min ||
          select.outputs[0].aggregate == sql::Output::Aggregate::Max);
}

}  // namespace

// The columns of each source that a query reads, besides the primary key.
std::vector<std::set<sql::ColumnId>> ReplayProgram::columns_read(const sql::Select& select) {
  std::vector<std::set<sql::ColumnId>> columns(select.sources.size());
  const auto look = [&](const sql::ExpressionPtr& expression) {
    sql::walk(expression, [&](const sql::Expression& part) {
      if (part.kind == sql::Expression::Kind::Field) columns[part.source.index()].insert(part.column);
    });
  };
  look(select.where);
  for (const sql::Output& output : select.outputs) look(output.value);
  return columns;
}

// The transaction that made the version of the row.
sql::ExpressionPtr ReplayProgram::made_by(const std::string& prefix) {
  return sql::unknown(sql::Type::Text, {}, prefix + "xmin");
}

RowKey ReplayProgram::key_of(sql::TableId table, const SqlRow& row, std::size_t first) const {
  RowKey key;
  for (std::size_t i = 0; i < schema_[table].primary_key.size(); ++i)
    key.push_back(row[first + i].value_or(""));
  return key;
}

std::string ReplayProgram::all_columns(sql::TableId table) const {
  std::string text;
  for (const sql::Column& column : schema_[table].columns)
    text += (text.empty() ? "" : ", ") + sql::quoted_name(column.name);
  return text;
}

// From `first_column` on the rows hold, for each source, its primary key and then the columns read.
void ReplayProgram::record_rows(const sql::Select& select, const std::vector<SqlRow>& rows,
                                std::size_t first_column) {
  const auto columns = columns_read(select);
  for (const SqlRow& row : rows) {
    std::size_t at = first_column;
    for (std::size_t s = 0; s < select.sources.size(); ++s) {
      const sql::Table& table = schema_[select.sources[s]];
      const RowKey key = key_of(select.sources[s], row, at);
      at += key.size();
      if (!key.empty())
        record_.entries.push_back({ReplayRecord::Entry::Kind::SeesRow, select.sources[s], key});
      const std::string number = row[at + columns[s].size()].value_or("");
      last_seen_[{select.sources[s], key}] = number;
      for (const sql::ColumnId column : columns[s]) {
        if (!key.empty() && !table.in_primary_key(column))
          record_.entries.push_back(
              {ReplayRecord::Entry::Kind::Read, select.sources[s], key, column, row[at], number});
        ++at;
      }
      ++at;
    }
  }
}

void ReplayProgram::record_missed(const sql::Select& select, const std::vector<RowKey>& given,
                                  std::string also) {
  if (select.sources.size() != 1 || select.partial || schema_[select.sources[0]].primary_key.empty()) return;
  std::string condition;
  if (select.where) {
    const sql::Spelling spelling = sql::to_sql(select.where, schema_, select.sources[0], spell_);
    if (!spelling.complete) return;
    condition = spelling.text;
  }
  if (!also.empty()) condition = condition.empty() ? also : fmt::format("({}) AND {}", condition, also);
  record_.entries.push_back(
      {ReplayRecord::Entry::Kind::Missed, select.sources[0], {}, {}, {}, {}, condition, given});
}

// The query with, behind its own columns, all that is needed to say what it read.
bool ReplayProgram::select(const sql::Select& select, const std::function<bool(const SqlRow&)>& each_row) {
  sql::Select asked = select;
  for (sql::Output& output : asked.outputs) {
    output.aggregate = sql::Output::Aggregate::None;
    output.distinct = false;
    if (!output.value) output.value = sql::constant(1);
  }
  const auto columns = columns_read(select);
  for (std::size_t s = 0; s < select.sources.size(); ++s) {
    const sql::Table& table = schema_[select.sources[s]];
    for (const sql::ColumnId column : table.primary_key)
      asked.outputs.push_back({.value = sql::field(column, table[column].type, sql::SourceId(s))});
    for (const sql::ColumnId column : columns[s])
      asked.outputs.push_back({.value = sql::field(column, table[column].type, sql::SourceId(s))});
    asked.outputs.push_back({.value = made_by(select.sources.size() > 1 ? fmt::format("t{}.", s + 1) : "")});
  }
  std::string text;
  if (!spelled(sql::to_sql(asked, schema_, spell_), text)) return false;
  const bool first_only = select.rows == sql::Select::Rows::First;
  std::vector<SqlRow> rows;
  if (!query(transaction_, text + (first_only ? " LIMIT 1" : ""), rows)) return false;
  tell(select.effect, rows.size());

  const std::size_t own = select.outputs.size();
  std::vector<RowKey> given;
  for (const SqlRow& row : rows) given.push_back(key_of(select.sources[0], row, own));
  if (is_extreme(select)) {
    if (!aggregates(select, rows)) return false;
    // Only rows beyond the extreme would have changed it, and only the one that holds it was needed.
    const CellValue& extreme = values_[select.outputs[0].into];
    std::erase_if(rows, [&](const SqlRow& row) { return !extreme || row[0] != extreme; });
    if (rows.size() > 1) rows.resize(1);
    record_rows(select, rows, own);
    std::string beyond;
    if (extreme && select.outputs[0].value->kind == sql::Expression::Kind::Field)
      beyond = fmt::format("{} {} {}",
                           sql::to_sql(select.outputs[0].value, schema_, select.sources[0], spell_).text,
                           select.outputs[0].aggregate == sql::Output::Aggregate::Min ? "<" : ">",
                           sql_literal(extreme, select.outputs[0].value->type));
    record_missed(select, given, beyond);
    return true;
  }
  record_rows(select, rows, own);
  if (!first_only || rows.empty()) record_missed(select, given, "");
  if (select.rows == sql::Select::Rows::Aggregate) return aggregates(select, rows);
  if (select.rows == sql::Select::Rows::Strict && rows.size() != 1) {
    end_ = End::Aborted;
    why_ = fmt::format("{} wants one row and gets {}", program_.name, rows.size());
    return false;
  }
  return std::ranges::all_of(rows, each_row);
}

bool ReplayProgram::select(const sql::Select& select, const sql::Statement& statement) {
  before_statement_(statement.number);
  for (const sql::Output& output : select.outputs)
    if (!output.into.is_none()) values_[output.into] = std::nullopt;
  const bool into_sets = select.rows == sql::Select::Rows::All;
  for (const sql::Output& output : select.outputs)
    if (!output.into.is_none() && into_sets) sets_[output.into].clear();
  return this->select(select, [&](const SqlRow& row) {
    for (std::size_t i = 0; i < select.outputs.size(); ++i) {
      const sql::VariableId into = select.outputs[i].into;
      if (into.is_none()) continue;
      if (into_sets) sets_[into].push_back(row[i]);
      else values_[into] = row[i];
    }
    return true;
  });
}

// Over the rows at hand, so that it is one statement of the transaction and not two.
bool ReplayProgram::aggregates(const sql::Select& select, const std::vector<SqlRow>& rows) {
  constexpr std::string_view names[] = {"", "count", "sum", "min", "max"};
  std::string wanted, columns, typed;
  for (std::size_t i = 0; i < select.outputs.size(); ++i) {
    const sql::Output& output = select.outputs[i];
    wanted +=
        fmt::format("{}{}({}c{})", i == 0 ? "" : ", ", names[static_cast<std::size_t>(output.aggregate)],
                    output.distinct ? "DISTINCT " : "", i);
    columns += fmt::format("{}c{}", i == 0 ? "" : ", ", i);
    const sql::Type type = output.value ? output.value->type : sql::Type::Integer;
    typed += fmt::format("{}NULL::{}", i == 0 ? "" : ", ", cast_of(type));
  }
  std::string list;
  for (const SqlRow& row : rows) {
    std::string values;
    for (std::size_t i = 0; i < select.outputs.size(); ++i) {
      const sql::Type type = select.outputs[i].value ? select.outputs[i].value->type : sql::Type::Integer;
      values += (i == 0 ? "" : ", ") + sql_literal(row[i], type);
    }
    list += fmt::format("{}({})", list.empty() ? "" : ", ", values);
  }
  std::vector<SqlRow> answer;
  const std::string from = list.empty() ? fmt::format("(SELECT {}) AS v({}) WHERE false", typed, columns)
                                        : fmt::format("(VALUES {}) AS v({})", list, columns);
  if (!query(calculator_, fmt::format("SELECT {} FROM {}", wanted, from), answer)) return false;
  for (std::size_t i = 0; i < select.outputs.size(); ++i)
    if (!select.outputs[i].into.is_none()) values_[select.outputs[i].into] = answer.at(0).at(i);
  return true;
}

}  // namespace assay::cli
