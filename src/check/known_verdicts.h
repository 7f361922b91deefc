// The verdicts about a history so far, and what they imply for other levels.
#pragma once

#include <vector>

#include "check/other_level.h"

namespace assay {

class KnownVerdicts {
 public:
  // The verdict on the level itself, or null.
  const Verdict* find(Level level) const;
  // The verdict on the level, or one implied because a stronger level holds or a weaker one is violated.
  std::optional<Verdict> implied(Level level, const HistoryFacts& facts) const;
  const Verdict& add(Level level, Verdict verdict);

  // Each call has a budget of its own, so undecided levels are judged again.
  void forget_undecided();
  // Called when reads were added, which the executions found so far may contradict.
  void forget_executions();

 private:
  struct KnownVerdict {
    Level level;
    Verdict verdict;
  };
  std::vector<KnownVerdict> verdicts_;
};

}  // namespace assay
