#include "check/likely_outcomes.h"

#include <algorithm>
#include <cstdint>

#include "dependency/ranks.h"
#include "history/statement_replay.h"
#include "history/truths.h"

namespace assay {
namespace {

std::vector<TxnId> likely_order(const History& history) {
  const std::vector<std::uint32_t> rank = ranks(history);
  std::vector<TxnId> order(rank.size());
  for (const TxnId t : history.transactions()) order[rank[t.index()]] = t;
  return order;
}

// Flips open outcomes of one update-maybe until it changes as many rows as it reports, if possible.
class CountFit {
 public:
  CountFit(const StatementFacts& facts, OpId op, std::uint64_t count, std::span<const Invisible> deferred)
      : op_(op), count_(count) {
    const auto known = truths_of_operation(facts.outcomes.known, op);
    changed_ = static_cast<std::uint64_t>(std::ranges::count(known, true, &Truth::took));
    deferred_ = std::ranges::equal_range(deferred, op, {}, &Invisible::op).size();
  }

  bool fit(std::vector<Truth>& outcomes, const std::vector<Truth>& fixed) {
    const auto open = std::ranges::equal_range(outcomes, op_, {}, &Truth::op);
    changed_ += static_cast<std::uint64_t>(std::ranges::count(open, true, &Truth::took));
    for (Truth& outcome : open) {
      if (fits()) return true;
      const bool too_many = changed_ > count_;
      if (find_truth(fixed, outcome.row()) || outcome.took != too_many) continue;
      outcome.took = !outcome.took;
      changed_ += outcome.took ? 1 : -1;
    }
    return fits();
  }

 private:
  bool fits() const { return changed_ <= count_ && count_ <= changed_ + deferred_; }

  OpId op_;
  std::uint64_t count_;         // rows changed, as the operation reports
  std::uint64_t changed_ = 0;   // rows changed, among those with a known or assumed outcome
  std::uint64_t deferred_ = 0;  // deferred rows: any number of these may have changed
};

}  // namespace

std::vector<Truth> likely_outcomes(const StatementFacts& facts, std::span<const Invisible> deferred) {
  const History& h = facts.history;
  const std::vector<Invisible>& open = facts.outcomes.open;
  std::vector<Truth> likely;
  for (const Invisible& row : open)
    if (!std::ranges::binary_search(deferred, row)) likely.push_back({row.op, row.key, false});
  if (likely.empty()) return likely;
  std::vector<Truth> left_alone;
  for (const Invisible& row : open) left_alone.push_back({row.op, row.key, false});
  std::vector<Truth> so_far = with_known(facts.outcomes, left_alone);
  StatementReplay replay(h, so_far);
  for (const TxnId t : likely_order(h)) {
    if (h.outcome(t) != Outcome::Committed) continue;
    replay.run(t, [&](OpId op) {
      if (h.kind(op) != OpKind::UpdateMaybe) return;
      replay.each_broken(op, [&](KeyId key, bool took) {
        if (!took && std::ranges::binary_search(open, Invisible{op, key}))
          std::ranges::lower_bound(so_far, Invisible{op, key}, {}, &Truth::row)->took = true;
      });
    });
    replay.commit(t);
  }
  for (Truth& outcome : likely) outcome.took = *find_truth(so_far, outcome.row());
  return likely;
}

std::optional<std::vector<Truth>> completed(const StatementFacts& facts, const std::vector<Truth>& likely,
                                            const std::vector<Truth>& fixed,
                                            std::span<const Invisible> deferred) {
  const History& h = facts.history;
  std::vector<Truth> all = likely;
  for (Truth& outcome : all) outcome.took = find_truth(fixed, outcome.row()).value_or(outcome.took);
  for (const TxnId t : h.transactions()) {
    if (h.outcome(t) == Outcome::Aborted) continue;
    for (const OpId op : h.operations(t)) {
      if (h.kind(op) != OpKind::UpdateMaybe || !h.count(op)) continue;
      const bool fits = CountFit(facts, op, *h.count(op), deferred).fit(all, fixed);
      if (!fits && h.outcome(t) == Outcome::Committed) return std::nullopt;
    }
  }
  return all;
}

}  // namespace assay
