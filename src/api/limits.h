// Translates assay_options into the JudgeOptions of the engine, with the callbacks of the caller.
#pragma once

#include <assay/assay_c.h>

#include <atomic>

#include "judge/judge.h"

namespace assay::api {

// Must live as long as the call: the engine polls the flag that on_progress sets.
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
