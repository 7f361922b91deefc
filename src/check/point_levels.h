// The levels whose executions order points of transactions: si and its variants, psi, pc, and the
// serializable ones. The loop of guessing, saturation and search.
//
//     guess an order -> explains the history?   done
//       -> where sessions order hardly anything: assume that what is far apart keeps its order, and go on so
//       -> saturate the keys that it breaks, guess again, while that helps
//       -> search for the rest; after some choices, saturate the keys that these were about, and search again
#pragma once

#include <memory>

#include "check/choice_search.h"
#include "check/guesses.h"
#include "check/learnt_reads.h"

namespace assay {

// Judges these levels; keeps the last search, so that it can go on with more reads.
class PointLevels {
 public:
  explicit PointLevels(Judging& judging) : j_(judging), guesses_(judging) {}

  // A serial execution that was guessed, and whether it explains the history; then it does so at every level
  // without real time.
  std::optional<Guess> guess_serial(bool session_order) const { return guesses_.serial(session_order); }
  std::optional<Holds> explained_by(const std::optional<Guess>& guess, bool two_points) const;

  // `serial` is a guess that does not explain the history.
  Verdict judge(Level level, const PointRules& rules, std::optional<Guess> serial);
  // The guess keeps real time too, so it is none of another level.
  Verdict judge_in_time(Level level, const PointRules& rules);

  // Adds reads that the last verdict's execution gets wrong. False: they cannot be added here.
  bool learn(const Order& execution, std::span<const NewRead> reads);
  // Whether there is a search at this level to go on with.
  bool can_go_on(Level level) const { return j_.has_learnt && known_ && known_->level() == level; }
  Verdict go_on();

  // Conditional writes that were decided at the level, whatever explains the history, and how.
  std::vector<std::pair<OpId, bool>> decided_writes(Level level, const PointRules& rules) const;

 private:
  Verdict begin(std::unique_ptr<KnownOrder> known, Guess guess);
  std::optional<Holds> judge_in_windows(std::size_t chains);
  std::optional<Verdict> improve(Guess& guess);
  Verdict search(Guess guess);

  Judging& j_;
  Guesses guesses_;
  LearntReads learnt_;
  std::unique_ptr<KnownOrder> known_;      // of the last search
  std::vector<std::uint32_t> last_order_;  // of that, if it found an execution
};

}  // namespace assay
