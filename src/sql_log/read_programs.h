// Reads the programs that an analysis is about: from SQL files, schemas and server logs. Then keeps those
// that the user chose.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sql/read.h"

namespace assay::sql_log {

struct ProgramSources {
  std::vector<std::string> files{}, schemas{}, logs{};
  std::string line_prefix{};   // of logs in plain text; empty: guessed
  std::string programs_out{};  // where to write the programs of the logs; empty: nowhere
  std::vector<std::string> only{}, ignore{};

  std::vector<std::string> names() const;  // of all files
};

struct ReadPrograms {
  sql::Application application;
  std::vector<sql::SourceFile> sources;  // what it was read from; of logs, the programs that were derived
  std::string scripts{};                 // of logs: the programs as text
};

// Writes a text to a file.
using WriteFile = std::function<Result<void>(const std::string& file, std::string_view text)>;

// The programs of logs are written before they are read, so that errors in them can be looked up.
Result<ReadPrograms> read_programs(const ProgramSources& sources, const WriteFile& write);

}  // namespace assay::sql_log
