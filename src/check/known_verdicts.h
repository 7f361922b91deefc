// The verdicts about a history so far, and what they say about levels that have not been judged.
#pragma once

#include <vector>

#include "check/other_level.h"

namespace assay {

class KnownVerdicts {
 public:
  // The verdict about the level itself; null: there is none.
  const Verdict* find(Level level) const;
  // Or one that follows from a stronger level that holds, or from a weaker one that is violated.
  std::optional<Verdict> implied(Level level, const HistoryFacts& facts) const;
  const Verdict& add(Level level, Verdict verdict);

  // Each call has time of its own, so what was undecided is judged again.
  void forget_undecided();
  // Reads have been added, which an execution may get wrong.
  void forget_executions();

 private:
  struct KnownVerdict {
    Level level;
    Verdict verdict;
  };
  std::vector<KnownVerdict> verdicts_;
};

}  // namespace assay
