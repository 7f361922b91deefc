// `assay run --workload hermitage` and `--schedules FILE`: runs fixed schedules, with a history and a verdict
// for each.
#pragma once

#include "cli/command.h"
#include "cli/judging.h"
#include "cli/outputs.h"
#include "collect/database.h"

namespace assay::cli {

struct ScheduleRequest {
  std::string file;    // empty: the schedules of Hermitage
  std::string called;  // the name of the database in results
  std::string out;     // a directory for the histories; empty: they are not kept
  bool json = false, quiet = false;
};

Result<Exit> judge_schedules(const ScheduleRequest& request, Database& database,
                             const std::vector<const DatabaseLevel*>& levels, JudgeOptions judge,
                             Outputs& outputs);

}  // namespace assay::cli
