// A history that was judged and explained at the levels that it can be judged at, the way the rooms that run
// workloads ask for it.
#pragma once

#include <chrono>

#include "judge/judge.h"

namespace assay::test {

// What takes longer than the limit is undecided, or has a longer explanation: histories of repeated values
// can take minutes.
inline Findings judged(History history, const std::vector<Level>& levels,
                       std::chrono::milliseconds limit = std::chrono::seconds(10)) {
  JudgeOptions options;
  options.levels = levels;
  options.timeout = options.patience = std::chrono::duration<double>(limit).count();
  return judge(std::move(history), "h", "jsonl", options).value();
}

}  // namespace assay::test
