#include "cli/replay_program.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay::cli {
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

std::string_view ReplayProgram::cast_of(sql::Type type) {
  constexpr std::string_view names[] = {"bigint", "numeric", "text", "boolean", "timestamptz", "text"};
  return names[static_cast<std::size_t>(type)];
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
    return fmt::format("ARRAY[{}]::{}[]", text, cast_of(variable.type));
  }
  // One of a branch that was not taken is only named where its value does not count.
  const auto found = values_.find(id);
  unknown_used_ |= unknown_.contains(id);
  return sql_literal(found == values_.end() ? std::nullopt : found->second, variable.type);
}

bool ReplayProgram::impossible(const std::string& why) {
  end_ = End::Impossible;
  why_ = fmt::format("{}: {}", sql::to_text(place_), why);
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
  place_ = statement.place;
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

// What rounds hand on, before the first or at the end of one: all of it, then it counts.
bool ReplayProgram::hand_on(const sql::Loop& loop, bool first) {
  std::vector<std::pair<CellValue, bool>> values;  // and whether they are known
  for (const sql::Loop::Carried& carried : loop.carried) {
    auto& [value, known] = values.emplace_back(std::nullopt, false);
    if (!ask(first ? carried.first : carried.next, value, known)) return false;
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    for (const sql::VariableId variable : {loop.carried[i].round, loop.carried[i].after}) {
      if (variable.is_none()) continue;
      values_[variable] = values[i].first;
      if (values[i].second) unknown_.erase(variable);
      else unknown_.insert(variable);
    }
  return true;
}

// `last` is true after the round that ends the loop.
bool ReplayProgram::round(const sql::Loop& loop, bool& last) {
  if (!block(loop.body)) return false;
  if (loop.last) {
    CellValue value;
    bool known = false;
    if (!ask(loop.last, value, known)) return false;
    if (!known) return impossible(fmt::format("when a loop of {} ends was not calculated", program_.name));
    last = value == "t";
  }
  return hand_on(loop, false);
}

bool ReplayProgram::loop(const sql::Loop& loop, const sql::Statement& statement) {
  constexpr long long kMostRounds = 1000;
  if (!hand_on(loop, true)) return false;
  bool last = false;
  if (loop.over == sql::Loop::Over::While) {
    for (long long i = 0; i < kMostRounds && !last; ++i)
      if (!round(loop, last)) return false;
    if (last) return true;
    place_ = statement.place;
    return impossible(fmt::format("a loop of {} goes on after {} rounds", program_.name, kMostRounds));
  }
  if (loop.over == sql::Loop::Over::Query) {
    before_statement_(statement.number);
    return select(loop.query, [&](const SqlRow& row) {
      if (last) return true;
      for (std::size_t i = 0; i < loop.query.outputs.size(); ++i)
        if (!loop.query.outputs[i].into.is_none()) values_[loop.query.outputs[i].into] = row[i];
      return round(loop, last);
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
    const long long first = from ? std::stoll(*from) : 1, end = to ? std::stoll(*to) : 0;
    for (long long i = first; i <= std::min(end, first + kMostRounds); ++i)
      elements.emplace_back(std::to_string(i));
  }
  for (const CellValue& element : elements) {
    if (last) break;
    values_[loop.element] = element;
    if (!round(loop, last)) return false;
  }
  return true;
}

void ReplayProgram::tell(const sql::Effect& effect, std::size_t rows) {
  if (!effect.found.is_none()) values_[effect.found] = rows > 0 ? "true" : "false";
  if (!effect.count.is_none()) values_[effect.count] = std::to_string(rows);
}

}  // namespace assay::cli
