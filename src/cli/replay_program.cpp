#include "cli/replay_program.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay::cli {
namespace {

using sql::Expression;

constexpr std::string_view kCasts[] = {"bigint", "numeric", "text", "boolean", "timestamptz", "text"};

// The columns of each source that a query reads, besides the primary key.
std::vector<std::set<sql::ColumnId>> columns_read(const sql::Select& select) {
  std::vector<std::set<sql::ColumnId>> columns(select.sources.size());
  const auto look = [&](const sql::ExpressionPtr& expression) {
    sql::walk(expression, [&](const Expression& part) {
      if (part.kind == Expression::Kind::Field) columns[part.source.index()].insert(part.column);
    });
  };
  look(select.where);
  for (const sql::Output& output : select.outputs) look(output.value);
  return columns;
}

void add_fields(const sql::ExpressionPtr& expression, std::set<sql::ColumnId>& columns) {
  sql::walk(expression, [&](const Expression& part) {
    if (part.kind == Expression::Kind::Field) columns.insert(part.column);
  });
}

bool is_extreme(const sql::Select& select) {
  return select.rows == sql::Select::Rows::Aggregate && select.outputs.size() == 1 &&
         (select.outputs[0].aggregate == sql::Output::Aggregate::Min ||
          select.outputs[0].aggregate == sql::Output::Aggregate::Max);
}

// The transaction that made the version of the row.
sql::ExpressionPtr made_by(const std::string& prefix) {
  return sql::unknown(sql::Type::Text, {}, prefix + "xmin");
}

// A value that PostgreSQL would have chosen by itself, and on which nothing depends.
sql::ExpressionPtr some_value(sql::Type type) {
  constexpr std::string_view values[] = {"0", "0", "", "false", "2024-01-01", ""};
  return sql::constant(type, std::string(values[static_cast<std::size_t>(type)]));
}

}  // namespace

ReplayProgram::ReplayProgram(const sql::Application& application, const analysis::Call& call,
                             SqlSession& transaction, SqlSession& calculator, ReplayRecord& record,
                             std::function<void(std::uint32_t)> before_statement)
    : application_(application),
      schema_(application.schema),
      program_(application.programs[call.program]),
      transaction_(transaction),
      calculator_(calculator),
      record_(record),
      before_statement_(std::move(before_statement)) {
  spell_ = [this](sql::VariableId id) { return literal(id); };
  for (std::size_t i = 0; i < program_.parameters.size(); ++i) {
    const sql::VariableId id = program_.parameters[i];
    std::vector<CellValue> given;
    for (const analysis::Value& value : call.arguments[i])
      given.push_back(value.null ? std::nullopt : std::optional(value.text));
    if (program_[id].is_set) sets_[id] = std::move(given);
    else values_[id] = given.empty() ? std::nullopt : given[0];
  }
}

ReplayProgram::End ReplayProgram::run() {
  block(program_.body);
  return end_;
}

std::string ReplayProgram::literal(sql::VariableId id) {
  const sql::Variable& variable = program_[id];
  if (variable.is_set) {
    const auto found = sets_.find(id);
    unknown_used_ |= unknown_.contains(id);
    std::string text;
    if (found != sets_.end())
      for (const CellValue& value : found->second)
        text += (text.empty() ? "" : ", ") + sql_literal(value, variable.type);
    return fmt::format("ARRAY[{}]::{}[]", text, kCasts[static_cast<std::size_t>(variable.type)]);
  }
  // One of a branch that was not taken is only named where its value does not count.
  const auto found = values_.find(id);
  unknown_used_ |= unknown_.contains(id);
  return sql_literal(found == values_.end() ? std::nullopt : found->second, variable.type);
}

bool ReplayProgram::impossible(std::string why) {
  end_ = End::Impossible;
  why_ = std::move(why);
  return false;
}

bool ReplayProgram::spelled(const sql::Spelling& spelling, std::string& text) {
  if (!spelling.complete || std::exchange(unknown_used_, false))
    return impossible(
        fmt::format("{} depends on a value that was not calculated: {}", program_.name, spelling.text));
  text = spelling.text;
  return true;
}

bool ReplayProgram::query(SqlSession& session, const std::string& sql, std::vector<SqlRow>& rows) {
  const Reply reply = session.run(sql, rows);
  if (reply == Reply::Done) return true;
  end_ = reply == Reply::Aborted ? End::Aborted : End::Impossible;
  why_ = session.problem();
  return false;
}

// `known` is false when the model does not say how to calculate it.
bool ReplayProgram::ask(const sql::ExpressionPtr& expression, CellValue& value, bool& known) {
  unknown_used_ = false;
  const sql::Spelling spelling = sql::to_sql(expression, spell_);
  known = spelling.complete && !std::exchange(unknown_used_, false);
  if (!known) return true;
  std::vector<SqlRow> rows;
  if (!query(calculator_, "SELECT " + spelling.text, rows)) return false;
  value = rows.at(0).at(0);
  return true;
}

bool ReplayProgram::block(const sql::Block& block) {
  return std::ranges::all_of(block, [&](const sql::Statement& statement) { return run_one(statement); });
}

bool ReplayProgram::run_one(const sql::Statement& statement) {
  if (const auto* what = std::get_if<sql::Select>(&statement.what)) return select(*what, statement);
  if (const auto* what = std::get_if<sql::Insert>(&statement.what)) return insert(*what, statement);
  if (const auto* what = std::get_if<sql::Update>(&statement.what)) return update(*what, statement);
  if (const auto* what = std::get_if<sql::Delete>(&statement.what)) return erase(*what, statement);
  if (const auto* what = std::get_if<sql::Assign>(&statement.what)) return assign(*what);
  if (const auto* what = std::get_if<sql::If>(&statement.what)) return branch(*what);
  if (const auto* what = std::get_if<sql::Loop>(&statement.what)) return loop(*what, statement);
  if (const auto* what = std::get_if<sql::Opaque>(&statement.what))
    return impossible(
        fmt::format("{} has a statement that was not understood: {}", program_.name, what->what));
  if (const auto* what = std::get_if<sql::Abort>(&statement.what)) {
    end_ = End::Aborted;
    why_ = fmt::format("{} gave up: {}", program_.name, what->message);
    return false;
  }
  return true;  // what the caller gets matters to nobody here
}

bool ReplayProgram::assign(const sql::Assign& assign) {
  CellValue value;
  bool known = false;
  if (!program_[assign.variable].is_set && !ask(assign.value, value, known)) return false;
  values_[assign.variable] = value;
  if (known) unknown_.erase(assign.variable);
  else unknown_.insert(assign.variable);
  return true;
}

bool ReplayProgram::branch(const sql::If& branch) {
  CellValue value;
  bool known = false;
  if (!ask(branch.condition, value, known)) return false;
  if (!known) return impossible(fmt::format("a condition of {} was not calculated", program_.name));
  return block(value == "t" ? branch.then : branch.otherwise);
}

bool ReplayProgram::loop(const sql::Loop& loop, const sql::Statement& statement) {
  if (loop.over == sql::Loop::Over::While)
    return impossible(fmt::format("{} has a WHILE loop", program_.name));
  if (loop.over == sql::Loop::Over::Query) {
    before_statement_(statement.number);
    return select(loop.query, [&](const SqlRow& row) {
      for (std::size_t i = 0; i < loop.query.outputs.size(); ++i)
        if (!loop.query.outputs[i].into.is_none()) values_[loop.query.outputs[i].into] = row[i];
      return block(loop.body);
    });
  }
  std::vector<CellValue> elements;
  if (loop.over == sql::Loop::Over::Array) {
    const auto found = sets_.find(loop.array);
    if (found == sets_.end())
      return impossible(fmt::format("an array of {} was not calculated", program_.name));
    elements = found->second;
  } else {
    CellValue from, to;
    bool from_known = false, to_known = false;
    if (!ask(loop.from, from, from_known) || !ask(loop.to, to, to_known)) return false;
    if (!from_known || !to_known)
      return impossible(fmt::format("the bounds of a loop of {} were not calculated", program_.name));
    constexpr long long kMostRounds = 1000;
    const long long first = from ? std::stoll(*from) : 1, last = to ? std::stoll(*to) : 0;
    for (long long i = first; i <= std::min(last, first + kMostRounds); ++i)
      elements.emplace_back(std::to_string(i));
  }
  for (const CellValue& element : elements) {
    values_[loop.element] = element;
    if (!block(loop.body)) return false;
  }
  return true;
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
    if (extreme && select.outputs[0].value->kind == Expression::Kind::Field)
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
    typed += fmt::format("{}NULL::{}", i == 0 ? "" : ", ", kCasts[static_cast<std::size_t>(type)]);
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

void ReplayProgram::tell(const sql::Effect& effect, std::size_t rows) {
  if (!effect.found.is_none()) values_[effect.found] = rows > 0 ? "true" : "false";
  if (!effect.count.is_none()) values_[effect.count] = std::to_string(rows);
}

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
    const Expression& value = *insert.values[i];
    if (value.kind == Expression::Kind::Unknown && value.text.empty() && value.kids.empty())
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
    RowKey key;
    for (const sql::ColumnId column : table.primary_key) key.push_back(values[column.index()].value_or(""));
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
    RowKey key;
    for (const sql::ColumnId column : table.primary_key) key.push_back(values[column.index()].value_or(""));
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
    RowKey key;
    for (const sql::ColumnId column : schema_[erase.table].primary_key)
      key.push_back(row[erase.returning.size() + column.index()].value_or(""));
    if (!key.empty()) record_.entries.push_back({ReplayRecord::Entry::Kind::Delete, erase.table, key});
  }
  return returned(erase.returning, erase.effect, rows);
}

}  // namespace assay::cli
