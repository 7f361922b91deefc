#include "check/predicates.h"

#include <algorithm>
#include <utility>

#include "base/contract.h"
#include "check/likely_outcomes.h"
#include "check/outcome_cases.h"
#include "check/readable_proof.h"

namespace assay {

Result<Verdict> PredicateChecker::judge(Level level) {
  ASSAY_TRY(can_judge(level));
  if (!loop_) {
    auto facts = statement_facts(h_);
    if (!facts) return std::move(facts).error();
    loop_.emplace(std::move(*facts), options_);
  }
  loop_->reset_effort();
  std::shared_ptr<Subject> last = std::exchange(answer_, {}).subject;
  const bool is_open = !loop_->facts().outcomes.open.empty();
  if (is_open) last.reset();  // free its memory before another one is made
  auto answer = is_open ? judge_open(level) : judge_known(level, std::move(last));
  effort_ = loop_->effort();
  if (!answer) return std::move(answer).error();
  level_ = level;
  answer_ = std::move(*answer);
  return answer_.verdict;
}

// Judges a history without open rows. All levels share one subject, which the first of them makes.
Result<StatementVerdict> PredicateChecker::judge_known(Level level, std::shared_ptr<Subject> subject) {
  if (!subject) {
    auto made = loop_->make({});
    if (!made) return std::move(made).error();
    subject = std::move(made).value();
  }
  const Level first = stand_in(level);
  if (first != level && !violated_.contains(first)) {
    auto judged = loop_->judge(first, std::move(subject));
    if (!judged) return std::move(judged).error();
    StatementVerdict& answer = std::get<StatementVerdict>(judged->end);
    if (!judged->is_violated()) return std::move(answer);
    violated_.insert(first);
    subject = answer.subject;
  }
  auto judged = loop_->judge(level, std::move(subject));
  if (!judged) return std::move(judged).error();
  return std::get<StatementVerdict>(std::move(judged->end));
}

Result<StatementVerdict> PredicateChecker::judge_open(Level level) {
  const Level first = stand_in(level);
  auto judged = judge_in_order(first);
  if (judged && judged->is_violated() && first != level) {
    std::get<StatementVerdict>(judged->end).subject.reset();  // free its memory
    defer({});
    judged = judge_by_cases(level);
  }
  if (!judged) return std::move(judged).error();
  StatementVerdict& answer = std::get<StatementVerdict>(judged->end);
  if (!judged->is_violated() || answer.subject->items.completion.rows.empty()) return std::move(answer);
  preferred_.reset();
  return with_readable_proof(*loop_, level, std::move(answer), judged->last);
}

// Judges a level with a total order. The execution decides the open rows, except those for which that has led
// to a contradiction.
Result<Conclusion> PredicateChecker::judge_in_order(Level level) {
  while (true) {
    const std::vector<Invisible>& open = loop_->facts().outcomes.open;
    std::vector<Invisible> deferred = without(open, must_be_assumed_);
    if (supposition_.deferred != deferred) defer(std::move(deferred));
    auto judged = must_be_assumed_.empty() ? judge_deferred(level) : judge_by_cases(level);
    const auto* more = judged ? std::get_if<MustAssume>(&judged->end) : nullptr;
    if (more == nullptr) return judged;
    must_be_assumed_ = merged(must_be_assumed_, more->rows);
  }
}

// Judges with all open rows deferred to the execution.
Result<Conclusion> PredicateChecker::judge_deferred(Level level) {
  auto subject = loop_->make(without_certain(supposition_));
  if (!subject) return std::move(subject).error();
  auto judged = loop_->judge(level, std::move(subject).value());
  if (judged) supposition_ = judged->last;
  return judged;
}

Result<Conclusion> PredicateChecker::judge_by_cases(Level level) {
  if (!preferred_) preferred_ = likely_outcomes(loop_->facts(), supposition_.deferred);
  auto judged = OutcomeCases(*loop_, level, *preferred_).judge(supposition_);
  if (judged) supposition_ = judged->last;
  return judged;
}

// Starts a new supposition; only the reads found so far are kept.
void PredicateChecker::defer(std::vector<Invisible> rows) {
  supposition_ = deferring(std::move(supposition_), std::move(rows));
  preferred_.reset();
}

Section PredicateChecker::section() const {
  ASSAY_REQUIRE(!std::holds_alternative<Undecided>(answer_.verdict));
  return section_of(answer_, level_, options_.skew);
}

}  // namespace assay
