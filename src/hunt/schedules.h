// Fixed schedules on a database, one after the other, with a history file for each.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "collect/database.h"
#include "collect/schedule.h"

namespace assay {

// Called for each history once it is written; false ends without the rest of the schedules.
using AfterSchedule = std::function<Result<bool>(const Schedule& schedule, const std::string& history)>;

// The histories are NAME.jsonl in the directory, which is made where it is missing; an empty name stands for
// a directory that is removed at the end.
Result<void> run_schedules(Database& database, const std::vector<Schedule>& schedules,
                           const std::vector<const DatabaseLevel*>& levels, const std::string& directory,
                           const AfterSchedule& after);

}  // namespace assay
