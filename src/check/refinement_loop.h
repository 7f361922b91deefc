// The loop that judges a history under a supposition, which it refines until the verdict is right.
//
//     supposition -> items -> Checker -> an execution -> refine -> supposition -> ...
//
// Why the verdict is right in the end: what is supposed too little only allows more executions. So if there
// is none, the level is violated under the supposition; and an execution counts only if it explains every
// statement (refine.h). Each round supposes more, and there is only so much to suppose.
//
// Two shortcuts save rounds, and are taken back where the answer would need a proof: the checker learns reads
// and goes on from the execution that it found; and what follows about conditional writes is held for
// certain. A violation found with either of them is judged again without.
#pragma once

#include <variant>

#include "check/refine.h"
#include "check/statement_verdict.h"

namespace assay {

// How judging ended: with a verdict, or because outcomes of rows have to be assumed first.
struct Conclusion {
  std::variant<StatementVerdict, MustAssume> end;
  Supposition last;  // with all reads and conditional writes that were found necessary

  bool is_violated() const {
    const auto* found = std::get_if<StatementVerdict>(&end);
    return found != nullptr && std::holds_alternative<Violated>(found->verdict);
  }
};

class RefinementLoop {
 public:
  RefinementLoop(StatementFacts facts, CheckOptions options);

  const StatementFacts& facts() const { return facts_; }
  // A new checker begins where the last execution was.
  Result<std::shared_ptr<Subject>> make(Supposition supposition) const;
  Result<Conclusion> judge(Level level, std::shared_ptr<Subject> subject);
  // Without refinement: what holds may be wrong about statements.
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
  CheckOptions options_;  // the start of which is the last execution
  CheckEffort effort_;    // since it was reset
};

}  // namespace assay
