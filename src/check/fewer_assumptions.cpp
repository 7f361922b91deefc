#include "check/fewer_assumptions.h"

#include <algorithm>
#include <utility>

#include "history/statements.h"
#include "verdict/operation_place.h"

namespace assay {
namespace {

constexpr std::size_t kOperationsToJudge = 2'000'000;  // by all tries together
constexpr std::size_t kLeastTries = 8, kMostTries = 256;

// Judges one level under different assumed outcomes. Subjects are large, so only the last one is kept.
class Tries {
 public:
  Tries(RefinementLoop& loop, Level level, std::shared_ptr<Subject> subject)
      : loop_(loop), level_(level), subject_(std::move(subject)) {}

  Result<StatementVerdict> with(const std::vector<Truth>& assumed) {
    if (subject_->supposition.assumed != assumed) {
      Supposition next = assuming(subject_->supposition, assumed);
      subject_.reset();
      auto subject = loop_.make(std::move(next));
      if (!subject) return std::move(subject).error();
      subject_ = std::move(subject).value();
    }
    auto verdict = loop_.judge_once(level_, *subject_);
    if (!verdict) return std::move(verdict).error();
    return StatementVerdict{std::move(*verdict), subject_};
  }

 private:
  RefinementLoop& loop_;
  Level level_;
  std::shared_ptr<Subject> subject_;
};

bool is_violated(const StatementVerdict& answer) { return std::holds_alternative<Violated>(answer.verdict); }

std::vector<Truth> without_part(std::vector<Truth> outcomes, std::size_t begin, std::size_t end) {
  const auto first = outcomes.begin();
  outcomes.erase(first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end));
  return outcomes;
}

Result<StatementVerdict> with_fewest(const RefinementLoop& loop, Tries& tries, StatementVerdict violated) {
  const std::size_t operations = violated.subject->items.history.operation_count();
  std::size_t left = std::clamp(kOperationsToJudge / (operations + 1), kLeastTries, kMostTries);
  std::vector<Truth> needed = violated.subject->supposition.assumed;
  for (std::size_t part = (needed.size() + 1) / 2; part > 0 && !needed.empty();
       part = part == 1 ? 0 : (part + 1) / 2)
    for (std::size_t end = needed.size(); end > 0 && left > 0 && !loop.budget().is_spent(); --left) {
      const std::size_t begin = end - std::min(end, part);
      std::vector<Truth> fewer = without_part(needed, begin, end);
      end = begin;
      auto again = tries.with(fewer);
      if (!again) return again;
      if (!is_violated(*again)) continue;
      needed = std::move(fewer);
      violated = std::move(*again);
    }
  return violated;
}

}  // namespace

Result<StatementVerdict> with_fewer_assumptions(RefinementLoop& loop, Level level,
                                                StatementVerdict violated) {
  const Proof& proof = std::get<Violated>(violated.verdict).proof;
  const std::vector<Truth> all = violated.subject->supposition.assumed;
  const std::vector<Truth> spoken_of = assumptions_of(loop.facts().history, *violated.subject, proof);
  Tries tries(loop, level, std::move(violated.subject));
  auto fewer = tries.with(spoken_of);
  if (fewer && !is_violated(*fewer)) {
    fewer->subject.reset();
    fewer = tries.with(all);
  }
  if (!fewer || !is_violated(*fewer)) return fewer;
  return with_fewest(loop, tries, std::move(*fewer));
}

std::vector<Truth> assumptions_of(const History& history, const Subject& subject, const Proof& proof) {
  const History& items = subject.items.history;
  std::vector<bool> key_spoken_of(history.key_count()), txn_spoken_of(history.transaction_count()),
      may_be_read(history.key_value_count()), may_be_any(history.key_count());
  for (const ProofLine& line : proof) {
    for (const TxnId t : {line.a, line.b})
      if (!t.is_none()) txn_spoken_of[t.index()] = true;
    if (line.op.is_none()) continue;
    key_spoken_of[items.key(line.op).index()] = true;
    txn_spoken_of[transaction_of(items, line.op).index()] = true;
    if (items.is_conditional_write(line.op)) may_be_any[items.key(line.op).index()] = true;
    else if (!has_rows(items.kind(line.op))) may_be_read[items.value(line.op).index()] = true;
    else
      for (const KeyValueId value : items.rows(line.op)) may_be_read[value.index()] = true;
  }
  std::vector<Truth> on;
  for (const Truth& outcome : subject.supposition.assumed) {
    if (!key_spoken_of[outcome.key.index()]) continue;
    const auto rows = history.rows(outcome.op);
    const auto row =
        std::ranges::find(rows, outcome.key, [&](KeyValueId value) { return history.key(value); });
    if (may_be_read[row->index()] || may_be_any[outcome.key.index()] ||
        txn_spoken_of[transaction_of(history, outcome.op).index()])
      on.push_back(outcome);
  }
  return on;
}

}  // namespace assay
