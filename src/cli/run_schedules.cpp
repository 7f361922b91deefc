#include "cli/run_schedules.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/findings_text.h"
#include "cli/interrupt.h"
#include "collect/schedule_run.h"
#include "collect/temporary_directory.h"
#include "history_io/journal.h"
#include "report/json.h"

namespace assay::cli {
namespace {

Result<std::vector<Schedule>> wanted(const std::string& file) {
  if (file.empty()) return hermitage();
  auto read = read_schedules(file);
  if (!read) return std::move(read).error();
  if (!read->skipped.empty())
    warn(fmt::format("{}: {} schedules with predicates, inserts or deletes are left out, like {}", file,
                     read->skipped.size(), read->skipped.front()));
  if (read->schedules.empty()) return error(file + " has no schedule that can be run");
  return std::move(read->schedules);
}

void print_findings(const Findings& findings, const ScheduleRequest& request) {
  if (request.json) return print(as_json(findings) + "\n");
  print(verdict_lines(findings));
  if (!request.quiet) print(explanations(findings, false));
}

}  // namespace

Result<Exit> run_schedules(const ScheduleRequest& request, Database& database,
                           const std::vector<const DatabaseLevel*>& levels, JudgeOptions judge,
                           Outputs& outputs) {
  const auto schedules = wanted(request.file);
  if (!schedules) return schedules.error();
  ASSAY_TRY(outputs.possible_for(schedules->size()));
  const auto place = TemporaryDirectory::create();
  if (!place) return place.error();
  std::error_code problem;
  if (!request.out.empty() && !std::filesystem::create_directories(request.out, problem) && problem)
    return error(fmt::format("cannot make the directory {}: {}", request.out, problem.message()));

  bool violated = false, undecided = false;
  for (const Schedule& schedule : *schedules) {
    if (was_interrupted()) return Exit::Undecided;
    const std::string journals = place->path() + "/journals";
    const std::string kept =
        (request.out.empty() ? place->path() : request.out) + "/" + schedule.name + ".jsonl";
    ASSAY_TRY(run_schedule(database, schedule, levels, journals, schedule.name + ", " + database.version()));
    ASSAY_TRY(merge_journals(journals, kept));
    std::filesystem::remove_all(journals, problem);
    judge.called = request.out.empty() ? request.called + "/" + schedule.name : kept;
    const auto findings = judge_for_user(kept, nullptr, judge);
    if (!findings) return findings.error();
    print_findings(*findings, request);
    ASSAY_TRY(outputs.write(*findings));
    violated |= any<Violated>(*findings);
    undecided |= any<Undecided>(*findings);
  }
  ASSAY_TRY(outputs.finish());
  return violated ? Exit::Found : undecided ? Exit::Undecided : Exit::Holds;
}

}  // namespace assay::cli
