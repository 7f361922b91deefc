#include "sql_log/derive.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sql/pg_parser.h"
#include "sql/words.h"
#include "sql_log/programs.h"
#include "sql_log/script_text.h"
#include "sql_log/value_lists.h"

namespace assay::sql_log {
namespace {

enum class LogForm : std::uint8_t { Stderr, Csv, Json, Statements };

// `2026-11-18 20:14:52.123 UTC,"user","database",4711,...`
bool looks_like_csv(std::string_view line) {
  constexpr std::ptrdiff_t few = 10;
  return !line.empty() && std::isdigit(static_cast<unsigned char>(line[0])) != 0 &&
         std::count(line.begin(), line.end(), ',') >= few && line.find(",\"") != line.npos &&
         line.find("LOG:  ") == line.npos;
}

LogForm form_of(const std::string& text) {
  const auto start = text.find_first_not_of(" \r\n\t");
  if (start == text.npos) return LogForm::Stderr;
  const std::string_view line = std::string_view(text).substr(start, text.find('\n', start) - start);
  if (line.starts_with('{')) return LogForm::Json;
  if (looks_like_csv(line)) return LogForm::Csv;
  // The names of columns, `query` among them.
  const bool header = line.find_first_of(" :[]") == line.npos && sql::has_word(line, "query");
  return header ? LogForm::Statements : LogForm::Stderr;
}

class Derivation {
 public:
  Derivation(const sql::Schema& schema, const std::string& line_prefix)
      : schema_(schema),
        line_prefix_(line_prefix),
        reader_(schema, [this](const SeenTransaction& transaction) { collector_.add(transaction); }) {}

  Result<void> read(const LogFile& file) {
    const LogForm form = form_of(file.text);
    if (form == LogForm::Statements) return read_statements(file);
    auto entries = form == LogForm::Json  ? read_json_log(file)
                   : form == LogForm::Csv ? read_csv_log(file)
                                          : read_stderr_log(file, line_prefix_);
    if (!entries) return std::move(entries).error();
    for (const LogEntry& entry : entries->entries) reader_.add(entry);
    if (entries->foreign_lines > 0)
      notes_.push_back({entries->first_foreign,
                        fmt::format("{} lines are no entries of the log, this one first; is it the server's "
                                    "log_line_prefix? (--log-line-prefix)",
                                    entries->foreign_lines)});
    return {};
  }

  Result<DerivedPrograms> finish(const std::vector<LogFile>& logs) {
    LogSummary summary = reader_.finish();
    const std::vector<SeenProgram> programs = collector_.take();
    if (programs.empty())
      return Error{"no transactions of an application in this log",
                   "log with log_statement = 'all' or log_min_duration_statement = 0", logs.front().name, ""};
    DerivedPrograms result = write_scripts(programs, schema_);
    result.scripts = fmt::format(
        "-- Programs that assay analyze derived from {}: {} statements in {} transactions of {} "
        "sessions.\n{}",
        logs.front().name, summary.statements, summary.transactions, summary.sessions, result.scripts);
    std::ranges::move(summary.notes, std::back_inserter(notes_));
    std::ranges::move(result.notes, std::back_inserter(notes_));
    result.notes = std::move(notes_);
    return result;
  }

 private:
  // pg_stat_statements does not know transactions.
  Result<void> read_statements(const LogFile& file) {
    const auto rows = read_csv(file);
    if (!rows) return rows.error();
    const std::vector<std::string>& names = rows->front().fields;
    const auto column = [&](std::string_view name) {
      return static_cast<std::size_t>(
          std::ranges::find_if(names, [&](const std::string& n) { return sql::lowered(n) == name; }) -
          names.begin());
    };
    const std::size_t query = column("query"), calls = column("calls"), toplevel = column("toplevel");
    const auto place_of = std::make_shared<const std::string>(file.name);
    for (const CsvRow& row : std::span(*rows).subspan(1)) {
      if (query >= row.fields.size())
        return Error{"no query in this row", "", file.name, std::to_string(row.line)};
      if (toplevel < row.fields.size() && row.fields[toplevel].starts_with('f'))
        continue;  // inside a function
      add_statement(row.fields[query], calls < row.fields.size() ? row.fields[calls] : "1",
                    {place_of, row.line});
    }
    notes_.push_back(
        {{place_of, 1},
         "each statement is treated as a transaction of its own: anomalies of transactions with several "
         "statements are not found"});
    return {};
  }

  void add_statement(const std::string& text, const std::string& calls, sql::Place place) {
    const auto parsed = sql::parse_sql(text);
    SeenTransaction transaction{{{{}, Role::Work, parsed ? "" : parsed.error().what, std::move(place)}}, ""};
    SeenStatement& statement = transaction.statements.front();
    statement.what.shape.text = text;
    if (parsed) {
      if (parsed->empty() || part_of(sql::member((*parsed)[0], "stmt"), schema_).role != Role::Work) return;
      auto shape = shape_of(text, {}, schema_);
      if (shape) statement.what = with_arrays(std::move(shape).value(), schema_);
      else statement.problem = shape.error().what;
    }
    std::size_t times = 1;
    std::from_chars(calls.data(), calls.data() + calls.size(), times);
    collector_.add(transaction, times);
  }

  const sql::Schema& schema_;
  const std::string& line_prefix_;
  ProgramCollector collector_;
  TransactionReader reader_;
  std::vector<sql::Note> notes_;
};

}  // namespace

Result<DerivedPrograms> derive_programs(const std::vector<LogFile>& logs, const sql::Schema& schema,
                                        const std::string& line_prefix) {
  Derivation derivation(schema, line_prefix);
  for (const LogFile& file : logs) ASSAY_TRY(derivation.read(file));
  return derivation.finish(logs);
}

}  // namespace assay::sql_log
