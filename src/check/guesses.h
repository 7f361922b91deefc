// Executions that are guessed: where a search begins, and often all that is needed.
#pragma once

#include <optional>

#include "check/judging.h"
#include "dependency/guess.h"

namespace assay {

class Guesses {
 public:
  explicit Guesses(const Judging& judging);

  // From now on guesses begin near this execution, and begin_with_start() takes it.
  void set_start(Order start);

  // Nothing: what is known forms a cycle, or the budget is spent. With `known` the order keeps real time and
  // what was derived.
  std::optional<Guess> greedy(const PointRules& rules, const KnownGraph* known = nullptr) const;
  // A serial execution, which explains every level without real time if it explains the history. One that
  // follows the sessions is the best start without them too.
  std::optional<Guess> serial(bool session_order) const;
  // Overlapping transactions, where serial ones did not do.
  std::optional<Guess> overlapping(const PointRules& rules, std::optional<Guess> serial) const;
  // As the clients' clocks or the file have it, as far as that agrees with what is known. A greedy execution
  // puts off who cannot run yet, and so may put a transaction far from where it belongs.
  Guess likely(const PointRules& rules, const KnownGraph& known) const;
  // The given start instead of the guess, if it explains more.
  Guess better_with_start(Guess guess, const PointRules& rules, const KnownGraph& known) const;
  // Few keys are broken: a search for these costs less than another guess.
  bool is_nearly_right(const Guess& guess) const;

 private:
  const Judging& j_;
  Order start_;
  std::vector<std::uint32_t> rank_;  // by transaction: its place in the start, if that is given
};

}  // namespace assay
