// From a history to findings: judges it at each level, strongest first, and explains what is violated.
//
//     read -> judge each level -> (check the evidence) -> explain the violations
//
// The same call for every history: registers, lists, rows, mixed. A verdict is reported as soon as it is
// found, so nothing is lost when a later level is stopped. Nothing here prints or exits.
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
  std::string called;  // what results call the history; empty: its file
  std::vector<Level> levels;
  bool all = false;                   // of these, those that the history can be judged at
  std::int64_t skew = 0;              // nanoseconds by which clocks may differ
  std::optional<double> timeout;      // seconds for each level, its explanation included
  std::optional<double> in_all;       // seconds for judging all levels together
  std::optional<std::size_t> memory;  // megabytes of resident memory
  std::size_t threads = 1;            // searches at once, where one takes long
  bool explain = true;
  // Seconds that an explanation gets at least, whatever the limit: without one nobody understands the
  // verdict.
  double least_for_explaining = 0.25;
  double patience = 10;  // seconds for making explanations small; more where judging took longer
  // Where a history is saved of which the evidence was refused, which is a defect of Assay.
  std::string save_to = ".";  // empty: nowhere
  bool no_greedy = false, eager_choices = false, no_saturation = false, no_assumption = false;  // to measure

  const std::atomic<bool>* interrupted = nullptr;              // ends everything that is under way
  std::function<void(const Progress&)> on_progress{};          // now and then, from what takes long
  std::function<void(const Finding&)> on_verdict{};            // as they are found, before explanations
  std::function<void(Level, const CheckEffort&)> on_effort{};  // how that verdict came about
};

// An error where nothing could be judged. A limit that is reached while reading leaves all levels undecided.
Result<Findings> judge_file(const std::string& file, const Format* format, const JudgeOptions& options);
// A history that is at hand, and what to call it and its format.
Result<Findings> judge(std::shared_ptr<const History> history, const std::string& called,
                       std::string_view format, const JudgeOptions& options, double reading_seconds = 0);
Result<Findings> judge(History history, const std::string& called, std::string_view format,
                       const JudgeOptions& options);

// A history read within the limits of one level. `read` gets the budget to poll.
Result<History> read_within_limits(const JudgeOptions& options,
                                   const std::function<Result<History>(Budget& budget)>& read);

}  // namespace assay
