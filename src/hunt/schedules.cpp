#include "hunt/schedules.h"

#include <fmt/format.h>

#include <filesystem>

#include "collect/schedule_run.h"
#include "collect/temporary_directory.h"
#include "history_io/journal.h"

namespace assay {

Result<void> run_schedules(Database& database, const std::vector<Schedule>& schedules,
                           const std::vector<const DatabaseLevel*>& levels, const std::string& directory,
                           const AfterSchedule& after) {
  const auto place = TemporaryDirectory::create();
  if (!place) return place.error();
  std::error_code problem;
  if (!directory.empty() && !std::filesystem::create_directories(directory, problem) && problem)
    return error(fmt::format("cannot make the directory {}: {}", directory, problem.message()));
  for (const Schedule& schedule : schedules) {
    const std::string journals = place->path() + "/journals";
    const std::string history =
        (directory.empty() ? place->path() : directory) + "/" + schedule.name + ".jsonl";
    ASSAY_TRY(run_schedule(database, schedule, levels, journals, schedule.name + ", " + database.version()));
    ASSAY_TRY(merge_journals(journals, history));
    std::filesystem::remove_all(journals, problem);
    const auto go_on = after(schedule, history);
    if (!go_on) return go_on.error();
    if (!*go_on) return {};
  }
  return {};
}

}  // namespace assay
