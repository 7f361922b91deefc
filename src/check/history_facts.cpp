#include "check/history_facts.h"

#include <algorithm>

#include "base/contract.h"
#include "verdict/operation_place.h"

namespace assay {

Result<void> HistoryFacts::find(bool repeatable) {
  auto& facts = repeatable ? repeatable_ : each_read_;
  if (facts) return {};
  auto found = read_facts(h_, repeatable, budget_);
  if (!found) return std::move(found).error();
  facts = std::move(found).value();
  return {};
}

const ReadFacts& HistoryFacts::at(Level level) const {
  const auto& facts = reads_repeat(level) ? repeatable_ : each_read_;
  ASSAY_REQUIRE(facts.has_value());
  return *facts;
}

const VersionIndex& HistoryFacts::versions() {
  if (!versions_) versions_.emplace(*repeatable_, h_.key_count());
  return *versions_;
}

MovedReads HistoryFacts::add(std::vector<LateRead> reads) {
  MovedReads moved = add_late_reads(*repeatable_, std::move(reads));
  if (versions_) versions_->index_open_reads(*repeatable_);
  return moved;
}

ProofBuilder proof_builder(const History& history, Level level, const ReadFacts& facts) {
  const auto find = [&facts](OpId op) {
    const auto found = std::ranges::lower_bound(facts.reads, op, {}, &ReadFact::op);
    return found != facts.reads.end() && found->op == op ? &*found : nullptr;
  };
  const auto find_open = [&facts](OpId op) {
    return *std::ranges::lower_bound(facts.open, op, {}, &OpenRead::op);
  };
  return ProofBuilder(
      has_two_points(level), [find](OpId op) { return find(op)->writer; },
      [&history](OpId op) { return transaction_of(history, op); },
      [=, &facts](OpId op) {
        std::vector<TxnId> writers;
        if (find(op) != nullptr) return std::vector{find(op)->writer};
        for (const VersionId v : facts.candidates_of(find_open(op))) writers.push_back(facts.writer(v));
        return writers;
      },
      [&facts](TxnId t) { return facts.counts[t.index()]; },
      [&history, &facts](TxnId t, OpId op) {
        if (facts.conditional.empty()) return OpId::none();
        const auto writes = facts.conditional_by(t);
        const auto found = std::ranges::find(writes, history.key(op), &ConditionalWrite::key);
        return found == writes.end() ? OpId::none() : found->op;
      });
}

}  // namespace assay
