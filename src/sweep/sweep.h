// Judges many histories, each by itself: a line of the results file for each, and a page for each violation.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "judge/judge.h"
#include "report/html.h"
#include "sweep/results.h"

namespace assay::sweep {

struct SweepOptions {
  JudgeOptions judge{};
  const Format* format = nullptr;
  std::size_t processes = 1;
  std::string folder;  // for pages; empty: none
  Tool tool{};
  std::function<void(const HistoryResult&)> on_result{};
  std::function<bool()> stop = [] { return false; };
};

// What distinguishes one request from another: "ser,si", with the skew where there is one.
std::string asked(const JudgeOptions& judge);

// The last result about each input as it is now and this request. The others of `inputs` go to `left`.
std::vector<HistoryResult> results_about(const std::vector<Input>& inputs, std::vector<HistoryResult> known,
                                         const std::string& asked, std::vector<Input>& left);

// Judges one history in this process.
HistoryResult judge_input(const Input& input, const SweepOptions& options);

// Judges all of them, large ones first, in processes of their own.
Result<void> sweep(std::vector<Input> inputs, const SweepOptions& options);

}  // namespace assay::sweep
