// Judges histories with rows and predicates by translating them to reads and writes of single keys. This is
// the entry to the part of the folder about statements. docs/predicates.md defines rows and predicates.
//
//     statement_facts     which outcomes of update-maybe rows are known, and which are open
//     supposition         what takes part in the search; subject makes the items and their checker
//     refinement_loop     judge, replay the execution found, refine, judge again
//     outcome_cases       assume outcomes of open rows; split into cases when they are contradicted
//     readable_proof      a proof for readers, in place of one with conditional writes
//
// At a level with a total order the execution decides open rows where it can: a row is changed if it matches
// the current version. If that leads to a contradiction, the rows of the key become conditional writes. Rows
// that cannot be conditional writes get assumed outcomes. At a level without a total order all open rows get
// assumed outcomes, unless the next stronger level with a total order is satisfied.
#pragma once

#include <memory>
#include <optional>

#include "check/check.h"
#include "check/refinement_loop.h"
#include "history/itemize.h"
#include "verdict/certificate.h"

namespace assay {

class PredicateChecker {
 public:
  explicit PredicateChecker(const History& history, CheckOptions options = {})
      : h_(history), options_(std::move(options)) {}

  Result<Verdict> judge(Level level);
  Result<void> can_judge(Level level) const { return Checker(h_, options_).can_judge(level); }

  // The effort of the last judgement.
  const CheckEffort& effort() const { return effort_; }
  // The subject of the last verdict. If that is a violation, the supposition says which outcomes are assumed.
  std::shared_ptr<const Subject> subject() const { return answer_.subject; }
  // The evidence for a certificate. The last verdict must not be undecided.
  Section section() const;

 private:
  Result<StatementVerdict> judge_known(Level level, std::shared_ptr<Subject> subject);
  Result<StatementVerdict> judge_open(Level level);
  Result<Conclusion> judge_in_order(Level level);
  Result<Conclusion> judge_deferred(Level level);
  Result<Conclusion> judge_by_cases(Level level);
  void defer(std::vector<Invisible> rows);

  const History& h_;
  CheckOptions options_;
  std::optional<RefinementLoop> loop_;
  Supposition supposition_;                      // where judging the next level starts
  std::vector<Invisible> must_be_assumed_;       // open rows that can no longer be deferred
  std::optional<std::vector<Truth>> preferred_;  // outcomes to assume first; if not set, the likely ones
  LevelSet violated_;                            // levels that stand in for others and are violated
  Level level_{};
  StatementVerdict answer_;
  CheckEffort effort_;
};

}  // namespace assay
