// Reads the input of `assay analyze`: SQL files, schemas and server logs. Then keeps the programs that the
// user chose.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sql/read.h"

namespace assay::cli {

struct AnalyzeInput {
  std::vector<std::string> files, schemas, logs;
  std::string line_prefix;   // of logs in plain text; empty: guessed
  std::string programs_out;  // where to write what the logs were taken for
  std::vector<std::string> only, ignore;

  std::vector<std::string> names() const;  // of all files
};

struct ReadPrograms {
  sql::Application application;
  std::vector<sql::SourceFile> sources;  // what it was read from; of logs, the programs that were derived
  std::string scripts{};                 // of logs: the programs as text
};

Result<ReadPrograms> read_input(const AnalyzeInput& input);

}  // namespace assay::cli
