// Judging histories with rows and predicates: as reads and writes of single keys, of which there are as many as needed.
//
//     itemize -> Checker -> an execution -> which invisible reads does it break? -> itemize with these -> ...
//
// check/invisible.h says why this ends in the right verdict. At rc and ra verdict/statement_views.h tells what an execution
// leaves unexplained; cc and psi are judged by a stronger level first, and then all invisible reads that could be in question are made.
//
// Which rows an update-maybe changed (history/completion.h) is searched around that: some truths are supposed, as an execution in
// the order of the clocks has them. If that is violated, the proof rests on some of them, which are a case that is out of the
// question; then the search goes on with each of them the other way. All cases together are the proof.
#pragma once

#include <memory>

#include "check/check.h"
#include "history/itemize.h"
#include "verdict/certificate.h"

namespace assay {

class PredicateChecker {
 public:
  explicit PredicateChecker(const History& history, CheckOptions options = {})
      : h_(history), options_(std::move(options)) {}

  Result<Verdict> judge(Level level);
  Result<void> can_judge(Level level) const { return Checker(h_, options_).can_judge(level); }
  const CheckEffort& effort() const { return effort_; }  // of the last level

  // What the verdict of the last level speaks of.
  struct Subject {
    Subject(Items made, const CheckOptions& options) : items(std::move(made)), checker(items.history, options) {}
    Items items;
    Checker checker;
  };
  std::shared_ptr<const Subject> subject() const { return subject_; }
  // The verdict of the last level, for a certificate.
  Section section(Level level, const Verdict& verdict) const;

 private:
  Result<void> prepare();
  Result<void> suppose(std::vector<Truth> truths);
  Result<void> make(std::vector<Invisible> more);
  Result<void> make_subject();
  Result<Verdict> judge_items(Level level);
  Result<Verdict> judge_supposed(Level level);
  Result<Verdict> judge_lazily(Level level);
  Result<Verdict> judge_truths(Level level);
  Result<std::vector<Invisible>> unexplained(Level level, const Holds& holds, std::size_t per_writer) const;
  bool change_truths(const std::vector<Invisible>& rows);
  std::vector<Truth> likely_truths() const;
  std::optional<std::vector<Truth>> complete(const std::vector<Truth>& fixed) const;
  std::vector<Truth> truths_on(const Proof& proof) const;
  Result<Verdict> judge_with_fewer(Level level, const Proof& proof);

  const History& h_;
  CheckOptions options_;
  std::optional<Truths> truths_;
  std::vector<Truth> likely_;    // of the open ones
  std::vector<Truth> supposed_;  // of the open ones, as the subject has them
  std::vector<Truth> fixed_;     // of these, that may not be changed on the way
  std::vector<Invisible> made_;
  bool made_all_ = false;
  std::shared_ptr<Subject> subject_;
  std::vector<Case> other_cases_;
  CheckEffort effort_;
};

}  // namespace assay
