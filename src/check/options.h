// Options of judging a history, and statistics about it.
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
  bool greedy = true;        // accept a guessed execution that explains the history
  bool lazy_choices = true;  // encode a constraint only when the current order violates it
  bool saturation = true;    // derive edges by saturation when the search does not end soon
  std::optional<std::size_t>
      saturate_after{};  // choices of the search before saturating all keys; default: by the history's size
  AssumptionOptions assumption{};
  PortfolioOptions portfolio{};  // parallel searches, when one takes long
  std::int64_t skew = 0;         // nanoseconds by which clocks may differ; for the levels of real time
  bool will_learn = false;       // the caller will add reads when an execution is found
  Order start{};                 // start from this execution, of any level, which is nearly right
  Budget* budget = &Budget::unlimited();
};

// Statistics of one judgement.
struct CheckEffort {
  std::string decided_by;               // the stage that gave the verdict
  std::string searcher;                 // which of several searches answered; empty if there was one
  std::string chains;                   // the chains that saturation used, or why it did not run
  std::size_t rounds = 0, derived = 0;  // rounds of saturation, and the edges that it derived
  std::size_t choices = 0;
  std::uint64_t decisions = 0, conflicts = 0;
  std::size_t executions = 1,
              invisible = 0;  // executions found, and invisible reads that they made explicit
  std::size_t rows = 0;       // rows of update-maybes that became conditional writes
};

}  // namespace assay
