#include "replay/transaction.h"

#include <fmt/format.h>

#include <algorithm>

#include "sql/print.h"

namespace assay::replay {
namespace {

// A program that passes more gates than this goes on for ever, as far as a replay can tell.
constexpr std::size_t kMostGates = 2000;
constexpr std::string_view kCancelled = "57014";

std::string text_of(const SqlRow& row) {
  std::string text;
  for (const auto& value : row) text += (text.empty() ? "" : ",") + value.value_or("NULL");
  return "(" + text + ")";
}

Result<std::string> type_number(State& state, const std::string& name) {
  std::vector<SqlRow> rows;
  if (name.empty()) return std::string("0");
  if (state.session().run(fmt::format("SELECT to_regtype({})::oid", sql::quoted(name)), rows) !=
          Reply::Done ||
      rows.empty() || !rows[0][0])
    return error(fmt::format("the server has no type {}", name));
  return *rows[0][0];
}

Result<std::optional<std::string>> argument(State& state, const std::vector<analysis::Value>& given,
                                            bool is_set, const std::string& type) {
  const auto known = state.types().find(type);
  if (!known) return known.error();
  if (!is_set) return given.empty() ? std::nullopt : spelled(given[0], *known);
  std::vector<std::optional<std::string>> elements;
  for (const analysis::Value& value : given) elements.push_back(spelled(value, *known));
  return std::optional(array_of(elements));
}

}  // namespace

bool cannot_run(const std::string& state) {
  if (state.empty() || state == kCancelled) return true;
  constexpr std::string_view classes[] = {"0A", "25", "2D", "3D", "3F", "42",
                                          "53", "54", "57", "58", "F0", "XX"};
  return std::ranges::any_of(classes,
                             [&](std::string_view c) { return state.starts_with(c) && state != "25P02"; });
}

Result<PreparedCall> prepare_call(State& state, const sql::Written& written,
                                  const sql::Application& application, const analysis::FoundAnomaly& anomaly,
                                  std::size_t number) {
  const analysis::Call& call = anomaly.calls[number];
  const sql::Program& program = application.programs[call.program];
  PreparedCall prepared{
      .name = fmt::format("T{} {}", number + 1, program.name), .function = {}, .script = {}};
  for (std::size_t f = 0; f < written.functions.size(); ++f)
    if (written.functions[f].name == program.name && !written.functions[f].trigger) prepared.function = f;
  for (std::size_t s = 0; s < written.scripts.size(); ++s)
    if (!prepared.function && written.scripts[s].name == program.name) prepared.script = s;
  if (prepared.script) {
    const sql::WrittenScript& script = written.scripts[*prepared.script];
    for (std::size_t i = 0; i < script.parameters.size(); ++i) {
      SqlParameter parameter;
      const auto type = type_number(state, script.parameters[i].type);
      if (!type) return type.error();
      parameter.type = static_cast<unsigned>(std::stoul(*type));
      for (std::size_t p = 0; p < program.parameters.size(); ++p) {
        const sql::Variable& variable = program[program.parameters[p]];
        if (variable.name != script.parameters[i].name) continue;
        auto value = argument(state, call.arguments[p], variable.is_set, *type);
        if (!value) return std::move(value).error();
        parameter.value = std::move(*value);
      }
      prepared.values.push_back(std::move(parameter));
    }
    return prepared;
  }
  if (!prepared.function) return error(fmt::format("{} is not in the files", program.name));
  const sql::WrittenFunction& function = written.functions[*prepared.function];
  std::vector<SqlRow> types;
  if (state.session().run(
          fmt::format("SELECT t.oid FROM pg_proc p, unnest(p.proargtypes::oid[]) WITH ORDINALITY "
                      "t(oid, i) WHERE p.oid = to_regproc({}) ORDER BY t.i",
                      sql::quoted(function.qualified)),
          types) != Reply::Done)
    return error(problem_of(state.session()));
  std::string arguments;
  std::size_t in = 0;
  for (const auto& parameter : function.arguments) {
    if (!parameter.in && !function.procedure) continue;
    std::optional<std::string> value;
    if (parameter.in && in < program.parameters.size()) {
      auto given = argument(state, call.arguments[in], program[program.parameters[in]].is_set,
                            in < types.size() ? types[in][0].value_or("0") : "0");
      if (!given) return std::move(given).error();
      value = std::move(*given);
      ++in;
    }
    arguments += (arguments.empty() ? "" : ", ") + (value ? sql::quoted(*value) : std::string("NULL"));
  }
  prepared.sql =
      fmt::format("{} {}({})", function.procedure ? "CALL" : "SELECT", function.qualified, arguments);
  return prepared;
}

bool Transaction::run(std::string_view level, const std::function<void(const Gate&)>& at_gate) {
  at_gate_ = at_gate;
  session_.on_notice([this](std::string_view state, std::string_view text) { hear(state, text); });
  if (session_.run(fmt::format("BEGIN ISOLATION LEVEL {}", level)) != Reply::Done) return failed();
  return call_.function ? call_function() : run_script();
}

bool Transaction::commit() {
  if (session_.run("COMMIT") != Reply::Done) return failed();
  told_.committed = true;
  return true;
}

bool Transaction::failed() {
  told_.why = problem_of(session_);
  told_.state = session_.state();
  if (passed_ > kMostGates && told_.state == kCancelled)
    told_.why = fmt::format("it was not over after {} statements", kMostGates);
  return false;
}

// On this thread, while the statement of `session_` runs.
void Transaction::hear(std::string_view state, std::string_view text) {
  const auto message = state == kGateState ? parse_gate_message(text) : std::nullopt;
  if (!message || message->number >= gates_.size()) {
    told_.lines.push_back(fmt::format("the server says: {}", text));
    return;
  }
  const Gate& gate = gates_[message->number];
  told_.lines.push_back(fmt::format("{}: {}", sql::to_text(gate.place), message->seen));
  if (++passed_ > kMostGates) {
    (void)keeper_.run("SELECT pg_cancel_backend(current_setting('assay.process')::int)");
  } else {
    at_gate_(gate);
  }
  if (!message->key.empty())
    (void)keeper_.run(fmt::format("SELECT pg_advisory_unlock_all(), pg_advisory_lock({})", message->key));
}

void Transaction::add_rows(const sql::Place& place, std::vector<SqlRow> rows) {
  const std::size_t count = std::max(rows.size(), session_.count());
  std::vector<std::string> texts;
  for (const SqlRow& row : rows) texts.push_back(text_of(row));
  std::ranges::sort(texts);
  told_.lines.push_back(fmt::format("{}: {} row{} {}", sql::to_text(place), count, count == 1 ? "" : "s",
                                    fmt::join(texts, " ")));
}

bool Transaction::call_function() {
  const sql::WrittenFunction& function = written_.functions[*call_.function];
  at_gate_(gates_.call_of(*call_.function));
  std::vector<SqlRow> rows;
  if (session_.run(call_.sql, rows) != Reply::Done) return failed();
  add_rows(function.place, std::move(rows));
  return true;
}

bool Transaction::run_script() {
  const sql::WrittenScript& script = written_.scripts[*call_.script];
  std::vector<SqlParameter> values = call_.values;
  constexpr unsigned kText = 25;
  for (std::size_t s = 0; s < script.statements.size(); ++s) {
    const sql::WrittenStatement& statement = script.statements[s];
    if (statement.control == "TRANS_STMT_BEGIN" || statement.control == "TRANS_STMT_START" ||
        statement.control == "TRANS_STMT_COMMIT")
      continue;
    if (statement.control == "TRANS_STMT_ROLLBACK") {
      told_.why = "it rolls back";
      return false;
    }
    at_gate_(gates_.statement_of(*call_.script, s));
    std::vector<SqlRow> rows;
    std::vector<SqlParameter> given(values);
    for (std::size_t i = 0; i < given.size(); ++i)
      if (std::ranges::find(statement.parameters, i + 1) == statement.parameters.end())
        given[i] = {{}, kText};
    const Reply reply = statement.parameters.empty() ? session_.run(statement.text, rows)
                                                     : session_.run(statement.text, given, rows);
    if (reply != Reply::Done) return failed();
    if (statement.stored) {
      const auto columns = session_.columns();
      for (std::size_t c = 0; c < columns.size(); ++c)
        for (std::size_t i = 0; i < script.parameters.size(); ++i)
          if (script.parameters[i].name == columns[c].name)
            values[i] = {rows.empty() ? std::nullopt : rows[0][c], columns[c].type};
    }
    add_rows(statement.place, std::move(rows));
  }
  return true;
}

}  // namespace assay::replay
