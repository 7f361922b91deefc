// One configuration of a database, tried for a while with workloads of several kinds.
#pragma once

#include <functional>
#include <memory>

#include "collect/database.h"
#include "matrix/matrix.h"

namespace assay {

// What is asked about the history of one run.
struct MatrixJudgement {
  std::string called{};  // the configuration
  std::vector<Level> levels{};
  double seconds_per_level = 0;  // also for making an explanation small
  double seconds_in_all = 0;
};

struct MatrixOptions {
  double seconds = 4;       // of each configuration, for the runs and for judging them
  std::uint64_t seed = 0;   // of the first run
  std::string directory{};  // a place for journals
  std::function<Result<Findings>(History, const MatrixJudgement&)> judge{};
  std::function<bool()> stop = [] { return false; };                             // true ends with an error
  std::function<void(const std::string&)> progress = [](const std::string&) {};  // of which configuration
  std::function<void(const std::string&)> missing = [](const std::string&) {
  };  // why a server cannot be tried
};

// Whether a run deletes rows and inserts them again: then its violations are unsettled (matrix.h).
bool replaces_rows(const GeneratorOptions& workload);

// The most sessions and operations that a configuration is tried with.
DatabaseOptions matrix_database_options(std::uint64_t seed);

// `row` says which configuration it is. Every kind of workload runs at least once, then in turn until the
// time is up. The result has a row for keys and a row for rows.
Result<std::vector<MatrixRow>> try_configuration(Database& database, const DatabaseLevel& level,
                                                 MatrixRow row, const MatrixOptions& options);

}  // namespace assay
