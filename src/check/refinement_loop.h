// Judges a history under a supposition, and refines the supposition until the verdict is right for the whole
// history.
//
//     supposition -> items -> Checker -> an execution -> refine -> supposition -> ...
//
// The verdict is right because a supposition leaves constraints out, which only allows more executions. If
// there is no execution even so, the level is violated under the supposition. An execution counts only if it
// explains every statement (refine.h). The loop ends because each round adds to the supposition, and only
// finitely much can be added.
//
// Two shortcuts save rounds. The checker adds reads to its search and continues from the last execution. And
// outcomes of conditional writes that follow from known edges count as certain. A violation found with either
// has no proof, so it is judged again without.
#pragma once

#include <variant>

#include "check/refine.h"
#include "check/statement_verdict.h"

namespace assay {

// The result of judging: a verdict, or rows whose outcomes must be assumed first.
struct Conclusion {
  std::variant<StatementVerdict, MustAssume> end;
  Supposition last;  // contains all reads and conditional writes found necessary

  bool is_violated() const {
    const auto* found = std::get_if<StatementVerdict>(&end);
    return found != nullptr && std::holds_alternative<Violated>(found->verdict);
  }
};

class RefinementLoop {
 public:
  RefinementLoop(StatementFacts facts, CheckOptions options);

  const StatementFacts& facts() const { return facts_; }
  // Makes a subject whose checker starts from the last execution.
  Result<std::shared_ptr<Subject>> make(Supposition supposition) const;
  Result<Conclusion> judge(Level level, std::shared_ptr<Subject> subject);
  // Judges without refinement, so an execution may contradict statements.
  Result<Verdict> judge_once(Level level, Subject& subject);
  Budget& budget() const { return *options_.budget; }

  void reset_effort();
  const CheckEffort& effort() const { return effort_; }

 private:
  struct Pace;

  Result<std::shared_ptr<Subject>> without_shortcut(const Subject& subject, Pace& pace) const;
  Result<std::shared_ptr<Subject>> refined(Level level, std::shared_ptr<Subject> subject, const Order& found,
                                           const Refinement& refinement, Pace& pace) const;
  Result<std::shared_ptr<Subject>> with_certain_outcomes(Level level, std::shared_ptr<Subject> subject) const;

  StatementFacts facts_;
  CheckOptions options_;  // its `start` is the last execution
  CheckEffort effort_;    // since the last reset_effort()
};

}  // namespace assay
