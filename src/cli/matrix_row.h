// One configuration of a database, hunted for a while with workloads of several kinds.
#pragma once

#include "cli/command.h"
#include "collect/database.h"
#include "report/matrix.h"

namespace assay::cli {

struct HuntOptions {
  double seconds = 4;       // for the runs and for judging them
  std::uint64_t seed = 0;   // of the first run
  std::string directory{};  // a place for journals
};

// Whether a run deletes rows and inserts them again: then its violations are unsettled (report/matrix.h).
bool replaces_rows(const GeneratorOptions& workload);

// The most sessions and operations that a hunt asks of a database.
DatabaseOptions hunting_options(std::uint64_t seed);

// `row` says which configuration it is. Every kind of workload runs at least once, then in turn until the
// time is up.
Result<std::vector<MatrixRow>> hunt(Database& database, const DatabaseLevel& level, MatrixRow row,
                                    const HuntOptions& options);

}  // namespace assay::cli
