// Judges a history at the levels asked for: which stage decides which level, and what the verdicts imply for
// other levels.
//
//     history_facts     which transactions read from which, computed once
//     known_verdicts    verdicts so far: an execution explains every weaker level too, a proof refutes every
//                       stronger one
//     other_level       evidence for one level in the form of another
//     weak_judge        rc, ra, cc: saturation, or a search for the writers of reads (weak_search)
//     point_levels      all others: guess an order, saturate, search
//       guesses           guessed executions
//       known_order       known and derived edges, and the proof of a contradiction
//       choice_search     the search, in parallel or under assumptions
//       learnt_reads      reads that are added to a running search
//       refutation        the proof of an unsatisfiable search
//
// predicates.h is the entry to the other part of this folder, about statements on rows.
#pragma once

#include "check/known_verdicts.h"
#include "check/point_levels.h"

namespace assay {

// Judges one history at several levels. What it finds out for one level is used for all others.
class Checker {
 public:
  explicit Checker(const History& history, CheckOptions options = {})
      : j_(history, std::move(options)), points_(j_) {}
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  // Returns an error if the level needs instants that the history does not have, or that contradict its
  // sessions. A violation of a level with points has no name yet (explain/name.h).
  Result<Verdict> judge(Level level);
  // Returns such an error without judging.
  Result<void> can_judge(Level level) const;

  // Adds reads that the last verdict's execution gets wrong; the next judge() goes on from there. A violation
  // that depends on them has no proof, so the level is undecided. Returns false if they cannot be added here;
  // then the caller needs a history that contains them.
  bool learn(const Order& execution, std::span<const NewRead> reads);
  bool has_learnt() const { return j_.has_learnt; }
  // The conditional writes that have the same outcome in every execution of the history at a level with a
  // total order, as far as is known, and that outcome.
  std::vector<std::pair<OpId, bool>> decided_writes(Level level);

  const History& history() const { return j_.history; }
  // The facts that the level was judged with.
  const ReadFacts& facts(Level level) const { return j_.facts.at(level); }
  std::int64_t skew() const { return j_.options.skew; }
  Budget& budget() const { return j_.budget; }
  const CheckEffort& effort() const { return j_.effort; }  // of the last level

 private:
  PointRules rules_of(Level level) const;
  Result<Verdict> judge_possible(Level level);
  Result<Verdict> judge_reads(Level level);
  Verdict judge_order(Level level);
  Verdict judge_weak(Level level);
  std::optional<Verdict> judge_stronger_first(Level level);
  std::optional<Verdict> violated_without_clocks(Level level, const Verdict& verdict);
  const Verdict& remembered(Level level);

  Judging j_;
  KnownVerdicts verdicts_;
  PointLevels points_;
};

inline Result<Verdict> check(const History& history, Level level) { return Checker(history).judge(level); }

}  // namespace assay
