#include "cli/run_schedules.h"

#include <fmt/format.h>

#include "cli/findings_text.h"
#include "cli/interrupt.h"
#include "hunt/schedules.h"
#include "report/json.h"
#include "report/text.h"

namespace assay::cli {
namespace {

Result<std::vector<Schedule>> wanted(const std::string& file) {
  if (file.empty()) return hermitage();
  auto read = read_schedules(file);
  if (!read) return std::move(read).error();
  if (!read->skipped.empty())
    warn(fmt::format("{}: {} schedules with SQL in them are left out, like {}", file, read->skipped.size(),
                     read->skipped.front()));
  if (read->schedules.empty()) return error(file + " has no schedule that can be run");
  return std::move(read->schedules);
}

void print_findings(const Findings& findings, const ScheduleRequest& request) {
  if (request.json) return print(as_json(findings) + "\n");
  warn_about(findings);
  print(verdict_lines(findings));
  if (!request.quiet) print(explanations(findings, false));
}

}  // namespace

Result<Exit> judge_schedules(const ScheduleRequest& request, Database& database,
                             const std::vector<const DatabaseLevel*>& levels, JudgeOptions judge,
                             Outputs& outputs) {
  const auto schedules = wanted(request.file);
  if (!schedules) return schedules.error();
  ASSAY_TRY(outputs.possible_for(schedules->size()));
  if (was_interrupted()) return Exit::Undecided;
  std::size_t judged = 0;
  bool violated = false, undecided = false;
  const auto judge_one = [&](const Schedule& schedule, const std::string& history) -> Result<bool> {
    judge.called = request.out.empty() ? request.called + "/" + schedule.name : history;
    const auto findings = judge_for_user(history, nullptr, judge);
    if (!findings) return findings.error();
    print_findings(*findings, request);
    ASSAY_TRY(outputs.write(*findings));
    violated |= any<Violated>(*findings);
    undecided |= any<Undecided>(*findings);
    ++judged;
    return !was_interrupted();
  };
  ASSAY_TRY(run_schedules(database, *schedules, levels, request.out, judge_one));
  if (judged < schedules->size()) return Exit::Undecided;
  ASSAY_TRY(outputs.finish());
  return violated ? Exit::Found : undecided ? Exit::Undecided : Exit::Holds;
}

}  // namespace assay::cli
