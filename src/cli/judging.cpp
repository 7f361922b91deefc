#include "cli/judging.h"

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/progress_line.h"

namespace assay::cli {
namespace {

void describe_effort(const std::string& file, Level level, const CheckEffort& effort) {
  warn(fmt::format("{}: {} decided by {}{}; {} choices, {} decisions, {} conflicts{}", file, id(level),
                   effort.decided_by, effort.searcher.empty() ? "" : fmt::format(" ({})", effort.searcher),
                   effort.choices, effort.decisions, effort.conflicts,
                   effort.chains.empty() ? "" : "; " + effort.chains) +
       (effort.executions == 1
            ? ""
            : fmt::format("; {} executions, {} reads without a value", effort.executions, effort.invisible)) +
       (effort.rows == 0 ? "" : fmt::format(", {} rows that may have been changed", effort.rows)));
}

void show_on(ProgressLine& line, JudgeOptions& options) {
  options.interrupted = &watch_interrupts();
  options.on_progress = line.shower();
}

}  // namespace

Result<Findings> judge_for_user(const std::string& file, const Format* format, JudgeOptions options,
                                bool verbose) {
  ProgressLine line(file);
  show_on(line, options);
  if (verbose)
    options.on_effort = [&](Level level, const CheckEffort& effort) {
      line.clear();
      describe_effort(file, level, effort);
    };
  auto findings = judge_file(file, format, options);
  if (findings && verbose)
    for (const std::string& remark : findings->history().remarks()) {
      line.clear();
      warn(fmt::format("{}: {}", file, remark));
    }
  return findings;
}

Result<Findings> judge_for_user(History history, const std::string& called, std::string_view format,
                                JudgeOptions options) {
  ProgressLine line(called);
  show_on(line, options);
  return judge(std::move(history), called, format, options);
}

}  // namespace assay::cli
