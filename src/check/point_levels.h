// Judges the levels whose executions order points of transactions: si and its variants, psi, pc, and the
// serializable ones. This is the loop of guessing, saturation and search.
//
//     guess an order -> explains the history?   done
//       -> if sessions order hardly anything: judge under the assumption that distant points keep their order
//       -> saturate the keys that the guess breaks and guess again, as long as that helps
//       -> search; after some choices, saturate their keys and search again
#pragma once

#include <memory>

#include "check/choice_search.h"
#include "check/guesses.h"
#include "check/learnt_reads.h"

namespace assay {

// Keeps the known order and the execution of the last search, so that it can continue when reads are added.
class PointLevels {
 public:
  explicit PointLevels(Judging& judging) : j_(judging), guesses_(judging) {}

  // Guesses a serial execution. If explained_by() accepts it, it explains every level without real time.
  std::optional<Guess> guess_serial(bool session_order) const { return guesses_.serial(session_order); }
  std::optional<Holds> explained_by(const std::optional<Guess>& guess, bool two_points) const;

  // `serial` is a guess that does not explain the history.
  Verdict judge(Level level, const PointRules& rules, std::optional<Guess> serial);
  // Judges a level of real time. No guess of another level serves, because it must respect the clocks too.
  Verdict judge_in_time(Level level, const PointRules& rules);

  // Adds reads that the last execution contradicts. Returns false if they cannot be added here.
  bool learn(const Order& execution, std::span<const NewRead> reads);
  // Whether go_on() can continue the last search, with the reads that were added.
  bool can_go_on(Level level) const { return j_.has_learnt && known_ && known_->level() == level; }
  Verdict go_on();

  // The conditional writes that have one outcome in every execution that explains the history at this level,
  // and that outcome.
  std::vector<std::pair<OpId, bool>> decided_writes(Level level, const PointRules& rules) const;

 private:
  Verdict begin(std::unique_ptr<KnownOrder> known, Guess guess);
  std::optional<Holds> judge_in_windows(std::size_t chains);
  std::optional<Verdict> improve(Guess& guess);
  Verdict search(Guess guess);
  Verdict search_shortly(const Guess& guess);

  Judging& j_;
  Guesses guesses_;
  LearntReads learnt_;
  std::unique_ptr<KnownOrder> known_;      // the known order of the last search
  std::vector<std::uint32_t> last_order_;  // the execution that it found, if any
};

}  // namespace assay
