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

// Judges one history at several levels; whatever is found out for one is used for all others.
class Checker {
 public:
  explicit Checker(const History& history, CheckOptions options = {})
      : j_(history, std::move(options)), points_(j_) {}
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  // An error when the level needs instants that the history does not have, or that contradict its sessions. A
  // violation of a level with points has no name yet (explain/name.h).
  Result<Verdict> judge(Level level);
  // Such an error without judging.
  Result<void> can_judge(Level level) const;

  // Adds reads that the last verdict's execution gets wrong; the next judge() goes on from there. What is
  // violated with their help has no proof: it is undecided. False: they cannot be added here, and it takes a
  // history that has them.
  bool learn(const Order& execution, std::span<const NewRead> reads);
  bool has_learnt() const { return j_.has_learnt; }
  // Conditional writes that were decided, whatever explains the history at a level with a total order, and
  // how.
  std::vector<std::pair<OpId, bool>> decided_writes(Level level);

  const History& history() const { return j_.history; }
  // Those that a level was judged with.
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
