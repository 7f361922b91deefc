// A server's log to transaction programs, as `-- transaction:` scripts that can be kept, edited and analysed.
#pragma once

#include "sql/program.h"
#include "sql_log/entry.h"

namespace assay::sql_log {

struct UnreadProgram {
  std::string name;
  sql::Note why;
};

struct DerivedPrograms {
  std::string scripts;
  std::size_t count = 0;
  std::vector<sql::Note> notes;
  std::vector<UnreadProgram> left_out;  // some statement of theirs cannot be read
};

// Logs of one server, in the order of time: in plain text, as csvlog or as jsonlog; or the table
// pg_stat_statements as comma-separated values. The schema says which columns values meet. `line_prefix` is
// the server's log_line_prefix; empty: it is guessed.
Result<DerivedPrograms> derive_programs(const std::vector<LogFile>& logs, const sql::Schema& schema,
                                        const std::string& line_prefix);

}  // namespace assay::sql_log
