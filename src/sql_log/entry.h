// One entry of a PostgreSQL server's log, whatever form the log has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sql/schema.h"

namespace assay::sql_log {

struct LogEntry {
  sql::Place place{};
  std::string session{};      // the session's id, or its process id
  std::string transaction{};  // the virtual transaction id, `3/17`; empty where the log does not have it
  std::string severity{};     // LOG, ERROR, ...
  std::string message{};
  std::string detail{};
  std::string statement{};  // of an error: what the session was executing
};

struct LogFile {
  std::string name;  // as errors and places call it
  std::string text;
};

struct Entries {
  std::vector<LogEntry> entries;
  std::size_t foreign_lines = 0;  // lines that no entry could be made of, and the first of them
  sql::Place first_foreign{};
};

// `prefix` is the server's log_line_prefix; empty: it is guessed.
Result<Entries> read_stderr_log(const LogFile& file, std::string_view prefix);
Result<Entries> read_csv_log(const LogFile& file);
Result<Entries> read_json_log(const LogFile& file);

// The rows of a text of comma-separated values: fields may be quoted, and then hold line breaks.
struct CsvRow {
  std::size_t line = 0;
  std::vector<std::string> fields;
};
Result<std::vector<CsvRow>> read_csv(const LogFile& file);

}  // namespace assay::sql_log
