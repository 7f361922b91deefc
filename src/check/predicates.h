// Judging histories with rows and predicates: as reads and writes of single keys, of which there are as many as needed.
//
//     itemize -> Checker -> an execution -> which invisible reads does it break? -> itemize with these -> ...
//
// check/invisible.h says why this ends in the right verdict. Below prefix consistency no single execution shows what a
// statement met; there a stronger level is tried first, and then all invisible reads that could be in question are made.
#pragma once

#include <memory>

#include "check/check.h"
#include "history/itemize.h"

namespace assay {

class PredicateChecker {
 public:
  explicit PredicateChecker(const History& history, CheckOptions options = {})
      : h_(history), options_(std::move(options)) {}

  Result<Verdict> judge(Level level);
  Result<void> can_judge(Level level) const { return Checker(h_, options_).can_judge(level); }
  // After the levels were judged: the verdict as it is about the operations of items().
  Result<Verdict> settled(Level level, Verdict verdict);
  // Makes all invisible reads, which certificates of levels below prefix consistency need; nothing if they are too many.
  Result<bool> make_all();
  const Items& items() const { return *items_; }
  std::unique_ptr<Items> take_items() { return std::move(items_); }
  const Checker& checker() const { return *checker_; }
  const CheckEffort& effort() const { return effort_; }  // of the last level

 private:
  Result<void> make(std::vector<Invisible> more);
  Result<Verdict> judge_items(Level level);
  Result<Verdict> judge_in_order(Level level);

  const History& h_;
  CheckOptions options_;
  std::vector<Invisible> made_;
  bool made_all_ = false;
  std::unique_ptr<Items> items_;
  std::unique_ptr<Checker> checker_;
  std::vector<Level> judged_;  // with these items
  CheckEffort effort_;
};

}  // namespace assay
