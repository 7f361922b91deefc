// What the files that check an order share: where each transaction stands in it, and from whom each read is.
#pragma once

#include <vector>

#include "certify/reads.h"
#include "verdict/proof.h"

namespace assay {

inline constexpr std::uint32_t kNowhere = UINT32_MAX;

// Positions count from 1; the initial transaction is at 0.
struct Positions {
  std::vector<std::uint32_t> snapshot, commit;  // by transaction; kNowhere: left out
  std::uint32_t of(TxnId t) const { return t.is_none() ? 0 : commit[t.index()]; }
  bool contain(TxnId t) const { return commit[t.index()] != kNowhere; }
};

// What an order proves: with snapshots, at a level that has none, the level with snapshots that implies it.
Level level_of(Level level, const Order& order);

// An error unless every transaction that committed is in the order, once, and none that aborted.
Result<Positions> positions(const History& history, Level level, const Order& order);

// An order of a level that is not replayed. `source` is by operation: the writer of each external read,
// none() for the initial transaction.
struct WeakOrder {
  const History& history;
  Level level;
  const Order& order;
  const std::vector<Source>& from;
  const Positions& at;
  const Reads& reads;
  std::vector<TxnId> source{};
};

// Fills in `source`. An error where the order and from lines do not say whom a read is from, or it is no
// possible writer.
Result<void> find_sources(WeakOrder& order);
// The order explains every read at a level that is not replayed, given that it contains session order if
// the level has it.
Result<void> certify_weak_order(WeakOrder order);
// Its last step: no reader has a newer version in its view, which is made of reads; of all that reaches it.
Result<void> certify_direct_views(const WeakOrder& order);
Result<void> certify_pasts(const WeakOrder& order);

Error newer_in_view(const History& history, OpId read, TxnId newer);

}  // namespace assay
