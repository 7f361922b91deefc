#include "sql_log/script_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/hash.h"
#include "sql/pg_parser.h"
#include "sql/script.h"
#include "sql/tree.h"
#include "sql/words.h"
#include "sql_log/parameters.h"

namespace assay::sql_log {
namespace {

constexpr std::size_t kMostStatements = 100, kLongestName = 60;

// What a statement does, and to which table: two words for a program's name.
std::pair<std::string, std::string> gist(const std::string& statement) {
  const auto parsed = sql::parse_sql(statement);
  if (!parsed || parsed->empty()) return {"other", ""};
  const sql::Json& node = sql::member((*parsed)[0], "stmt");
  const std::string kind = sql::kind_of(node);
  const sql::Json& body = sql::member(node, kind.c_str());
  const sql::Json* range = &sql::member(body, "relation");
  if (const sql::Json& from = sql::member(body, "fromClause"); !from.empty()) {
    range = &from[0];
    while (!sql::as(*range, "JoinExpr").is_null()) range = &sql::member(sql::as(*range, "JoinExpr"), "larg");
    range = &sql::as(*range, "RangeVar");
  }
  return {sql::lowered(std::string_view(kind).substr(0, kind.find("Stmt"))), sql::text_of(*range, "relname")};
}

// select_update_account_insert_transfer: statements on one table share its name.
std::string name_of_program(const SeenProgram& program) {
  std::string name, table, last;
  for (const SeenStatement& statement : program.statements) {
    if (statement.role != Role::Work) continue;
    const auto [verb, on] = gist(statement.what.shape.text);
    if (on != table && !table.empty()) name += "_" + table, last.clear();
    if (verb != last) name += (name.empty() ? "" : "_") + verb;
    table = on, last = verb;
  }
  if (!table.empty()) name += "_" + table;
  std::ranges::transform(name, name.begin(), [](unsigned char c) {
    return std::isalnum(c) != 0 && c < 128 ? static_cast<char>(std::tolower(c)) : '_';
  });
  return name.substr(0, kLongestName);
}

std::string key_of(const SeenProgram& program) {
  std::string key;
  for (const SeenStatement& statement : program.statements) key += statement.what.shape.text + "\n";
  return key;
}

// Programs with the same name get a part of their own that does not depend on which others there are.
std::vector<std::string> names_of_programs(const std::vector<SeenProgram>& programs) {
  std::vector<std::string> names;
  std::map<std::string, std::size_t> times;
  for (const SeenProgram& program : programs) ++times[names.emplace_back(name_of_program(program))];
  for (std::size_t i = 0; i < names.size(); ++i)
    if (times[names[i]] > 1) names[i] += fmt::format("_{:06x}", hash_bytes(key_of(programs[i])) & 0xffffff);
  return names;
}

std::string list(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::string comments(const SeenProgram& program, const Parameters& parameters) {
  std::string text =
      fmt::format("-- seen {} time{}, first at {}\n", program.times, program.times == 1 ? "" : "s",
                  sql::to_text(program.statements.front().place));
  for (const auto& [level, times] : program.levels)
    if (!level.empty()) text += fmt::format("-- isolation level {}: {} of {}\n", level, times, program.times);
  const auto named = [](std::vector<std::string> names) {
    for (std::string& name : names) name.insert(0, ":");
    return names;
  };
  if (!parameters.unified.empty())
    text += fmt::format("-- observed, not proved: the same value in every place each time: {}\n",
                        list(named(parameters.unified)));
  if (!parameters.constants.empty())
    text += fmt::format("-- observed, not proved: constants, among values that are sent as parameters: {}\n",
                        list(parameters.constants));
  return text;
}

// A level that all transactions asked for, or the weakest of several. Where some had the session's default,
// which the log does not show, only the comment says it.
std::string level_statement(const SeenProgram& program) {
  if (program.levels.contains("")) return {};
  for (const char* level : {"read uncommitted", "read committed", "repeatable read", "serializable"})
    if (program.levels.contains(level)) return fmt::format("BEGIN ISOLATION LEVEL {};\n", level);
  return {};
}

// Why the script is not the statements that were seen; empty when it is.
std::string differs(const std::string& script, const SeenProgram& program) {
  std::string seen = level_statement(program);
  for (const SeenStatement& statement : program.statements) seen += statement.what.shape.text + ";\n";
  const auto read = sql::split_scripts(script);
  if (!read) return read.error().what;
  const std::string now = sql::fingerprint_of(read->back().text);
  return read->size() == 2 && !now.empty() && now == sql::fingerprint_of(seen)
             ? ""
             : "an operator or array bound of it reads like a parameter in a script";
}

std::string script_of(const std::string& name, const SeenProgram& program, const Parameters& parameters) {
  std::string text = fmt::format("-- transaction: {}({})\n", name, list(parameters.declarations));
  text += comments(program, parameters) + level_statement(program);
  std::size_t next = 0;
  for (const SeenStatement& statement : program.statements) {
    const Shape& shape = statement.what.shape;
    const std::vector<std::string> texts(
        parameters.texts.begin() + static_cast<std::ptrdiff_t>(next),
        parameters.texts.begin() + static_cast<std::ptrdiff_t>(next + shape.slots.size()));
    next += shape.slots.size();
    text += filled(shape, texts) + ";\n";
  }
  return text;
}

std::string why_unreadable(const SeenProgram& program) {
  for (const SeenStatement& statement : program.statements)
    if (!statement.problem.empty()) return statement.problem;
  if (program.statements.size() > kMostStatements)
    return fmt::format("it has {} statements, more than {}", program.statements.size(), kMostStatements);
  return {};
}

}  // namespace

DerivedPrograms write_scripts(const std::vector<SeenProgram>& programs, const sql::Schema& schema) {
  DerivedPrograms result;
  const ColumnRoots roots(schema);
  const std::vector<std::string> names = names_of_programs(programs);
  std::size_t observed = 0;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const SeenProgram& program = programs[i];
    const sql::Place& place = program.statements.front().place;
    std::string problem = why_unreadable(program), text;
    Parameters parameters;
    if (problem.empty()) {
      parameters = parameters_of(program, roots);
      text = script_of(names[i], program, parameters);
      problem = differs(text, program);
    }
    if (!problem.empty()) {
      result.left_out.push_back(
          {names[i],
           {place, fmt::format("program {}, seen {} time{}, cannot be read, no answer is about it: {}",
                               names[i], program.times, program.times == 1 ? "" : "s", problem)}});
      continue;
    }
    result.scripts += "\n" + text;
    ++result.count;
    if (!parameters.unified.empty() || !parameters.constants.empty()) ++observed;
  }
  if (observed > 0)
    result.notes.push_back(
        {programs.front().statements.front().place,
         fmt::format("{} program{} on values that were equal, or constant, in all transactions seen: an "
                     "observation, not a proof (--show-programs lists them)",
                     observed, observed == 1 ? " rests" : "s rest")});
  return result;
}

}  // namespace assay::sql_log
