// The options of a call, as the engine takes them.
#pragma once

#include <assay/assay_c.h>

#include <atomic>

#include "judge/judge.h"

namespace assay::api {

// Outlives what it is given to: the engine watches the flag that on_progress raises.
class Limits {
 public:
  explicit Limits(const assay_options* options);  // throws a Problem
  Limits(const Limits&) = delete;
  Limits& operator=(const Limits&) = delete;

  JudgeOptions for_judging();
  JudgeOptions for_reading();

 private:
  void show(const Progress& progress);
  void tell(const Finding& finding) const;

  assay_options options_{};
  std::atomic<bool> is_stopped_ = false;
};

assay_finding shown(const Finding& finding, const std::string& anomaly, const std::string& reason);

}  // namespace assay::api
