#include "sql_log/read_programs.h"

#include <fmt/format.h>

#include <algorithm>

#include "sql_log/derive.h"

namespace assay::sql_log {
namespace {

// What stands around the programs of a log is definitions; functions run where a statement calls them.
void drop_programs_of(const std::vector<std::string>& files, sql::Application& application) {
  const auto from_files = [&](const sql::Place& place) {
    return place.file && std::ranges::find(files, *place.file) != files.end();
  };
  std::erase_if(application.programs, [&](const sql::Program& p) { return from_files(p.place); });
  std::erase_if(application.left_out,
                [&](const sql::Application::LeftOut& left) { return from_files(left.why.place); });
}

void leave_out(sql::Application& application, std::string name, sql::Note why) {
  application.notes.push_back(why);
  application.left_out.push_back({std::move(name), std::move(why)});
}

Result<ReadPrograms> read_logs(const ProgramSources& input, const WriteFile& write,
                               std::vector<sql::SourceFile> sources) {
  const auto schema = sql::read_schema(sources);
  if (!schema) return schema.error();
  if (schema->tables.empty())
    return error("a log does not say what the tables are", "add --schema FILE: pg_dump -s writes it");
  auto texts = sql::read_source_files(input.logs);
  if (!texts) return std::move(texts).error();
  std::vector<LogFile> logs;
  for (sql::SourceFile& text : *texts) logs.push_back({std::move(text.name), std::move(text.text)});
  const auto derived = derive_programs(logs, *schema, input.line_prefix);
  if (!derived) return derived.error();
  if (!input.programs_out.empty()) ASSAY_TRY(write(input.programs_out, derived->scripts));
  sources.push_back(
      {input.programs_out.empty() ? "programs of " + input.logs[0] : input.programs_out, derived->scripts});
  if (derived->count == 0)
    return error(sql::to_text(derived->left_out[0].why.place) + ": " + derived->left_out[0].why.text);
  auto application = sql::read_application(sources);
  if (!application) return std::move(application).error();
  for (const sql::Note& note : derived->notes) application->notes.push_back(note);
  for (const UnreadProgram& unread : derived->left_out) leave_out(*application, unread.name, unread.why);
  return ReadPrograms{std::move(application).value(), std::move(sources), derived->scripts};
}

Result<void> exist(const sql::Application& application, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const bool left_out = std::ranges::find(application.left_out, name, &sql::Application::LeftOut::name) !=
                          application.left_out.end();
    if (!left_out &&
        std::ranges::find(application.programs, name, &sql::Program::name) == application.programs.end())
      return error(fmt::format("there is no program {}", name), "--show-programs lists them");
  }
  return {};
}

// Only the programs that are asked for; what was left out counts only among these, too.
Result<void> choose(const ProgramSources& input, sql::Application& application) {
  ASSAY_TRY(exist(application, input.only));
  ASSAY_TRY(exist(application, input.ignore));
  const auto unwanted = [&](const auto& program) {
    const bool named = std::ranges::find(input.only, program.name) != input.only.end();
    return (!input.only.empty() && !named) ||
           std::ranges::find(input.ignore, program.name) != input.ignore.end();
  };
  std::erase_if(application.programs, unwanted);
  std::erase_if(application.left_out, unwanted);
  if (application.programs.empty())
    return error("no program is left to analyse",
                 "--only and --ignore choose among those of --show-programs");
  return {};
}

// Rows that the program has inserted may be there, although it is not analysed.
void let_rows_remain(const sql::Program& program, sql::Schema& schema) {
  const auto from = [&](sql::TableId table) { schema.tables[table.index()].seeded = true; };
  sql::walk(program.body, [&](const sql::Statement& statement, std::uint32_t) {
    if (const auto* insert = std::get_if<sql::Insert>(&statement.what)) from(insert->table);
    if (const auto* opaque = std::get_if<sql::Opaque>(&statement.what))
      std::ranges::for_each(opaque->writes, from);
  });
}

}  // namespace

std::vector<std::string> ProgramSources::names() const {
  std::vector<std::string> all = files;
  for (const auto* more : {&schemas, &logs}) all.insert(all.end(), more->begin(), more->end());
  return all;
}

Result<ReadPrograms> read_programs(const ProgramSources& input, const WriteFile& write) {
  std::vector<std::string> paths = input.files;
  paths.insert(paths.end(), input.schemas.begin(), input.schemas.end());
  auto sources = sql::read_source_files(paths);
  if (!sources) return std::move(sources).error();
  ReadPrograms result;
  if (input.logs.empty()) {
    auto application = sql::read_application(*sources);
    if (!application) return std::move(application).error();
    result = {std::move(application).value(), std::move(sources).value()};
  } else {
    auto read = read_logs(input, write, std::move(sources).value());
    if (!read) return read;
    result = std::move(read).value();
  }
  sql::Application& application = result.application;
  const std::vector<sql::Program> all = application.programs;
  drop_programs_of(input.schemas, application);
  ASSAY_TRY(choose(input, application));
  for (const sql::Program& program : all)
    if (!std::ranges::count(application.programs, program.name, &sql::Program::name))
      let_rows_remain(program, application.schema);
  // Nor does a log show who inserted what its transactions found.
  if (!input.logs.empty())
    for (sql::Table& table : application.schema.tables) table.seeded = true;
  return result;
}

}  // namespace assay::sql_log
