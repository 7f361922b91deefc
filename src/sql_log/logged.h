// What the entries of a log say was executed: statements with the values of their parameters.
#pragma once

#include <optional>

#include "sql_log/entry.h"

namespace assay::sql_log {

// The value of `$1` and so on; none: the log does not have it.
using LoggedValues = std::vector<std::optional<std::string>>;

struct LoggedStatement {
  std::string sql;
  LoggedValues values{};
  double milliseconds = 0;  // where the log has it
};

// The statement that this entry says was executed: `statement: ...`, `execute <unnamed>: ...`, also behind a
// duration. Parse and bind messages execute nothing, and fetching more rows is not a new execution.
std::optional<LoggedStatement> logged_statement(const LogEntry& entry);

// `parameters: $1 = '42', $2 = NULL`. A value that was cut (`'abc...'`) is not known. NULL is the text
// `NULL`, without quotes, which no other value has because they keep theirs.
LoggedValues logged_values(std::string_view detail);

}  // namespace assay::sql_log
