// How a history is judged, and what that took.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/budget.h"
#include "check/assumption.h"
#include "check/portfolio.h"
#include "verdict/proof.h"

namespace assay {

struct CheckOptions {
  bool greedy = true;        // try a serial execution first
  bool lazy_choices = true;  // make a choice only when the order at hand breaks it
  bool saturation = true;    // derive what follows before choosing on, where the search is not soon done
  std::optional<std::size_t>
      saturate_after{};  // choices of the search; when not given, by the history's size
  AssumptionOptions assumption{};
  PortfolioOptions portfolio{};  // of searches, where one takes long
  std::int64_t skew = 0;         // nanoseconds by which clocks may differ; of the levels of real time
  bool will_learn = false;       // reads are added when an execution is found
  Order start{};                 // an execution that explains nearly all, of any level: where to begin
  Budget* budget = &Budget::unlimited();
};

// What it took, for those who ask.
struct CheckEffort {
  std::string decided_by;               // the stage
  std::string searcher;                 // which of several searches; empty where there was one
  std::string chains;                   // that saturation worked with, or why it did not
  std::size_t rounds = 0, derived = 0;  // of saturation, and edges it added
  std::size_t choices = 0;
  std::uint64_t decisions = 0, conflicts = 0;
  std::size_t executions = 1,
              invisible = 0;  // that were looked at, and reads without a value that they made necessary
  std::size_t rows = 0;       // that updates may have changed, of keys where that was in the way
};

}  // namespace assay
