// Judging histories with rows and predicates: as reads and writes of single keys, of which there are as many
// as needed.
//
//     itemize -> Checker -> an execution -> which invisible reads does it break? -> itemize with these -> ...
//
// check/invisible.h says why this ends in the right verdict. At levels with a total order the checker goes on
// from the execution that it has found; if that ends badly, it begins anew with all reads that were made, for
// a proof. Other levels are judged by a stronger one first; check/statement_views.h tells what an execution
// of theirs leaves unexplained.
//
// Which rows an update-maybe changed (history/truths.h) is left to the execution as well, where the level
// has a total order: each row is decided by what it meets. Where that breaks something, the rows of the key
// become conditional writes, which are choices of the search, if they are by themselves in their transaction.
// What follows about them from what is known is taken for certain, until that ends badly: then it begins anew
// without, for a proof.
//
// If they are not, and at other levels, truths are searched around that: they are supposed, as an execution
// in the order of the clocks has them. If that is violated, the proof rests on some of them, which are a case
// that is out of the question; then the search goes on with each of them the other way. All cases together
// are the proof.
#pragma once

#include <memory>

#include "check/check.h"
#include "history/itemize.h"
#include "verdict/certificate.h"

namespace assay {

class PredicateChecker {
 public:
  explicit PredicateChecker(const History& history, CheckOptions options = {})
      : h_(history), options_(std::move(options)) {
    options_.will_learn = true;
  }

  Result<Verdict> judge(Level level);
  Result<void> can_judge(Level level) const { return Checker(h_, options_).can_judge(level); }
  const CheckEffort& effort() const { return effort_; }  // of the last level

  // What the verdict of the last level speaks of.
  struct Subject {
    Subject(Items made, const CheckOptions& options)
        : items(std::move(made)), checker(items.history, options) {}
    Items items;
    Checker checker;
  };
  std::shared_ptr<const Subject> subject() const { return subject_; }
  // What it supposes that rows of update-maybes became.
  std::vector<Truth> supposed(const Subject& subject) const;
  // The evidence of the last level's verdict, for a certificate. A proof may speak of conditional writes,
  // which the verdict does not: that is told with what they did supposed.
  Section section(Level level, const Verdict& verdict) const;

 private:
  Result<void> prepare();
  Result<void> suppose(std::vector<Truth> truths);
  void add(const std::vector<Invisible>& more);
  Result<void> make(Level level, const Order& execution, const std::vector<Invisible>& more);
  std::optional<std::vector<NewRead>> new_reads(const std::vector<Invisible>& reads) const;
  Result<void> make_subject();
  Result<Verdict> judge_items(Level level);
  Result<Verdict> judge_supposed(Level level);
  Result<Verdict> judge_lazily(Level level);
  Result<Verdict> judge_truths(Level level);
  Result<Verdict> judge_leaving_rows(Level level);
  Result<Verdict> told(Level level, Verdict verdict);
  Result<Verdict> judge_with_rows(Level level, const std::vector<Truth>& supposed,
                                  const std::vector<Truth>& all, const std::vector<Invisible>& rows);
  void leave(std::vector<Invisible> rows);
  bool make_rows_of(std::span<const KeyId> keys);
  bool must_suppose(std::span<const KeyId> keys);
  Result<void> decide_rows(Level level);
  Result<std::vector<Invisible>> unexplained(Level level, const Holds& holds, std::size_t per_writer);
  bool change_truths(const std::vector<Invisible>& rows);
  std::vector<Truth> likely_truths() const;
  std::optional<std::vector<Truth>> complete(const std::vector<Truth>& fixed) const;
  std::vector<Truth> truths_on(const Proof& proof) const;
  Result<Verdict> judge_with_fewer(Level level, const Proof& proof);
  Result<Verdict> judge_with_fewest(Level level, Verdict verdict);

  const History& h_;
  CheckOptions options_;
  std::optional<Truths> truths_;
  std::vector<Invisible> separate_;          // open truths that may become conditional writes
  std::vector<Invisible> left_;              // open truths that are left to the execution
  std::vector<Invisible> rows_;              // of these, that are conditional writes of the subject
  std::vector<Invisible> must_be_supposed_;  // that are not left to any, since they were in the way
  bool has_more_to_suppose_ = false;         // of these than before
  std::vector<Truth> certain_;     // of the rows, as follows from what is known with what is supposed
  std::vector<Truth> decided_;     // by the last execution, of those that are left to it
  std::vector<KeyId> in_the_way_;  // keys of which rows, as it decides them, break something
  std::vector<Truth> likely_;      // of the open ones that are not left
  std::vector<Truth> supposed_;    // of these, as the subject has them
  std::vector<Truth> fixed_;       // of these, that may not be changed on the way
  std::vector<Invisible> made_;
  std::vector<Level> fell_;  // of those that stand in for weaker ones; with what is supposed
  bool is_shown_ = false;    // the subject has a verdict with a proof: it stays as it is
  std::shared_ptr<Subject> subject_;
  std::vector<Case> other_cases_;
  std::optional<Case> proved_;  // where it is not the verdict that is to be believed
  CheckEffort effort_;
};

}  // namespace assay
