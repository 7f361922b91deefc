// The state that the stages of judging a level share.
#pragma once

#include <fmt/format.h>

#include <string_view>

#include "check/history_facts.h"
#include "check/options.h"
#include "verdict/verdict.h"

namespace assay {

struct Judging {
  Judging(const History& of, CheckOptions how)
      : history(of), options(std::move(how)), budget(*options.budget), facts(of, budget) {}

  // Says how far judging had come when the budget was spent.
  Undecided out_of_budget(std::string_view how_far) const {
    return {fmt::format("{}; {}", budget.why(), how_far)};
  }
  // A violation that depends on added reads or on an assumption has no proof, since the history does not
  // contain them.
  Undecided violated_by_what_was_added() const {
    return {"nothing explains all reads and what was added to them, which is not part of the history"};
  }

  const History& history;
  CheckOptions options;
  Budget& budget;
  HistoryFacts facts;
  CheckEffort effort;       // for the current level
  bool has_learnt = false;  // reads have been added to the facts
  bool thorough = true;     // false: a verdict is wanted only if little work finds it
};

inline constexpr std::string_view kNoExecutionAtOnce =
    "all reads are of committed values, and an execution that explains them was not found at once";

}  // namespace assay
