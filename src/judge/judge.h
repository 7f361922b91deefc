// The entry point of the engine: judges a history at each level, strongest first, and explains the
// violations.
//
//     read -> judge each level -> (check the evidence) -> explain the violations
//
// Every history takes the same call, whether it has registers, lists, rows or all of them. Each verdict is
// reported as soon as it is found, so nothing is lost when a later level is interrupted. Nothing here prints
// or exits.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "base/budget.h"
#include "check/check.h"
#include "history_io/format.h"
#include "report/findings.h"

namespace assay {

struct JudgeOptions {
  std::string called;  // the name of the history in the results; empty: its file
  std::vector<Level> levels;
  ReadOptions reading{};
  std::int64_t skew = 0;              // nanoseconds by which clocks may differ
  std::optional<double> timeout;      // seconds for each level, its explanation included
  std::optional<double> in_all;       // seconds for judging all levels together
  std::optional<std::size_t> memory;  // megabytes of resident memory
  std::size_t threads = 1;            // parallel searches, used when one takes long
  bool explain = true;
  // The least number of seconds for an explanation, whatever the limit: a verdict without one is of little
  // use.
  double least_for_explaining = 0.25;
  double patience = 10;  // seconds for making explanations small; more where judging took longer
  // The directory where Assay saves a history when its own checker rejects the evidence, which is a bug.
  std::string save_to = ".";  // empty: the history is not saved
  bool no_greedy = false, eager_choices = false, no_saturation = false, no_assumption = false;  // to measure

  const std::atomic<bool>* interrupted = nullptr;              // when true, everything under way ends
  std::function<void(const Progress&)> on_progress{};          // called now and then by long computations
  std::function<void(const Finding&)> on_verdict{};            // called at once, before explanations
  std::function<void(Level, const CheckEffort&)> on_effort{};  // how much work the verdict took
};

// Returns an error when nothing could be judged. If a limit is reached while reading, all levels are
// undecided.
Result<Findings> judge_file(const std::string& file, const Format* format, const JudgeOptions& options);
// The same for a history in memory; `called` and `format` describe it in the results.
Result<Findings> judge(std::shared_ptr<const History> history, const std::string& called,
                       std::string_view format, const JudgeOptions& options, double reading_seconds = 0);
Result<Findings> judge(History history, const std::string& called, std::string_view format,
                       const JudgeOptions& options);

// Calls `read` with a budget that has the limits of one level.
Result<History> read_within_limits(const JudgeOptions& options,
                                   const std::function<Result<History>(Budget& budget)>& read);

}  // namespace assay
