// Judges histories with rows and predicates, as reads and writes of single keys: the front of the folder's
// part about statements. docs/predicates.md says what rows and predicates mean.
//
//     statement_facts     which outcomes of update-maybe rows are known, and which are open
//     supposition         what takes part in the search, a value; subject makes the items and their checker
//     refinement_loop     judge, replay the execution that was found, refine, judge again
//     outcome_cases       assume outcomes of open rows, and split into cases where that is contradicted
//     readable_proof      what a reader is shown instead of a proof with conditional writes
//
// At a level with a total order the execution decides open rows where it can: each row is changed if it
// matches what is there. Where that contradicts something, the rows of the key become conditional writes.
// Rows that cannot be conditional writes are assumed. So are all open rows at a level without a total order,
// unless the level above it that has one is satisfied too.
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

  // Of the last level.
  const CheckEffort& effort() const { return effort_; }
  // What the verdict speaks of. A violation's supposition says which outcomes are assumed.
  std::shared_ptr<const Subject> subject() const { return answer_.subject; }
  // The evidence for a certificate, unless it is undecided.
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
  Supposition supposition_;                 // to go on from at the next level
  std::vector<Invisible> must_be_assumed_;  // open rows that are not deferred any more
  std::optional<std::vector<Truth>>
      preferred_;      // outcomes to assume first; the likely ones if there are none
  LevelSet violated_;  // stand-ins of other levels
  Level level_{};
  StatementVerdict answer_;
  CheckEffort effort_;
};

}  // namespace assay
