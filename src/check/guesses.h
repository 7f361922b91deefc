// Guesses executions: starting points for the search, which often explain the history already.
#pragma once

#include <optional>

#include "check/judging.h"
#include "dependency/guess.h"

namespace assay {

class Guesses {
 public:
  explicit Guesses(const Judging& judging);

  // Sets the execution that later guesses stay close to, and that better_with_start() tries.
  void set_start(Order start);

  // Builds an execution greedily. With `known`, the order respects real time and derived edges. Returns
  // nothing if the known edges form a cycle or the budget is spent.
  std::optional<Guess> greedy(const PointRules& rules, const KnownGraph* known = nullptr) const;
  // Guesses a serial execution. If it explains the history, it does so at every level without real time. One
  // that respects session order is also the best start at levels that do not require it.
  std::optional<Guess> serial(bool session_order) const;
  // Guesses an execution with overlapping transactions, if the level allows them; used when a serial one does
  // not explain the history.
  std::optional<Guess> overlapping(const PointRules& rules, std::optional<Guess> serial) const;
  // Orders transactions by the clients' clocks or their order in the file, as far as known edges allow. A
  // greedy guess defers transactions that cannot run yet, and so may place one far from where it ran.
  Guess likely(const PointRules& rules, const KnownGraph& known) const;
  // Returns the start set by set_start() if it breaks fewer keys than the guess; otherwise the guess.
  Guess better_with_start(Guess guess, const PointRules& rules, const KnownGraph& known) const;
  // Whether so few keys are broken that searching costs less than guessing again.
  bool is_nearly_right(const Guess& guess) const;

 private:
  const Judging& j_;
  Order start_;
  std::vector<std::uint32_t> rank_;  // by transaction: its rank in start_; empty without a start
};

}  // namespace assay
