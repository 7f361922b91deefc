// Searches all possible outcomes of update-maybe rows, case by case, for one that explains the history.
//
//     assume likely outcomes -> violated? -> drop needless assumptions -> try the other outcomes of the rest
//
// A violation under assumed outcomes rules out every execution with these outcomes: this is a case. The
// remaining executions differ from the case in some assumption, so they are split into branches. Branch i
// negates assumption i and keeps those before it. Each branch is judged in turn, and may be split again. When
// no branch is left, the cases together prove that the level is violated. The time is at worst exponential in
// the number of assumptions that cases need, so each case drops those that it does not (fewer_assumptions.h).
#pragma once

#include "check/refinement_loop.h"

namespace assay {

class OutcomeCases {
 public:
  // `preferred` gives an outcome for every row to assume. It is updated to the outcomes assumed last.
  OutcomeCases(RefinementLoop& loop, Level level, std::vector<Truth>& preferred)
      : loop_(loop), level_(level), preferred_(preferred) {}

  // Replaces what the supposition assumes, and keeps the rest of it.
  Result<Conclusion> judge(Supposition supposition);

 private:
  // The assumptions of a case that its own branch did not fix. The last of the first `left` is negated, those
  // before it are kept, and the rest is free. Branches run from the last assumption to the first.
  struct Branch {
    std::vector<Truth> assumed;
    std::size_t left;
  };

  std::vector<Truth> fixed() const;
  const Case* known_case(const std::vector<Truth>& assumed) const;
  Result<Conclusion> judge_case(Supposition supposition);
  void rule_out(StatementVerdict violated);
  void split(const Case& ruled_out, const std::vector<Truth>& fixed);
  bool next_branch();
  StatementVerdict all_ruled_out();

  RefinementLoop& loop_;
  Level level_;
  std::vector<Truth>& preferred_;
  std::vector<Branch> branches_;
  std::vector<Case> cases_;                // the cases ruled out
  std::optional<StatementVerdict> first_;  // the verdict of the first case
};

}  // namespace assay
