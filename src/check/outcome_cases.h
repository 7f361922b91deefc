// Searches all outcomes that update-maybe rows can have, case by case, for one that explains the history.
//
//     assume likely outcomes -> violated? -> with as few assumptions as do -> the other outcomes of these
//
// A violation with few assumed outcomes rules out all executions with these outcomes: a case. What is left is
// split by the assumptions of that case. Each in turn is the other way, with those before it as they were,
// and what is left of all of that has cases of its own. If nothing is left, the cases together prove that the
// level is violated. That can take time exponential in the assumptions that cases need.
#pragma once

#include "check/refinement_loop.h"

namespace assay {

class OutcomeCases {
 public:
  // `preferred`: outcomes of all rows that are to be assumed, to begin with. It becomes what was assumed
  // last.
  OutcomeCases(RefinementLoop& loop, Level level, std::vector<Truth>& preferred)
      : loop_(loop), level_(level), preferred_(preferred) {}

  // Of the supposition, all but what it assumes is kept.
  Result<Conclusion> judge(Supposition supposition);

 private:
  // The assumptions of a case, in which some were fixed already. Those before `left` are as in the case, and
  // the one there is the other way. The last comes first.
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
  std::vector<Case> cases_;                // ruled out
  std::optional<StatementVerdict> first_;  // of these, the first
};

}  // namespace assay
