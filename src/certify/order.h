// What the files that check an order share: the positions of transactions, and the writers of reads.
#pragma once

#include <vector>

#include "certify/reads.h"
#include "verdict/proof.h"

namespace assay {

inline constexpr std::uint32_t kNowhere = UINT32_MAX;

// Positions count from 1; the initial transaction is at 0.
struct Positions {
  std::vector<std::uint32_t> snapshot, commit;  // by transaction; kNowhere: not in the order
  std::uint32_t of(TxnId t) const { return t.is_none() ? 0 : commit[t.index()]; }
  bool contain(TxnId t) const { return commit[t.index()] != kNowhere; }
};

// The level that an order proves. If the order has snapshots and the level does not, this is the level with
// snapshots that implies it.
Level level_of(Level level, const Order& order);

// Returns an error unless every committed transaction is in the order exactly once, and no aborted one is.
Result<Positions> positions(const History& history, Level level, const Order& order);

// An order at a level without replay. `source` gives the writer of each external read, by operation; none()
// for the initial transaction.
struct WeakOrder {
  const History& history;
  Level level;
  const Order& order;
  const std::vector<Source>& from;
  const Positions& at;
  const Reads& reads;
  std::vector<TxnId> source{};
};

// Fills in `source`. Returns an error if the order and the from lines do not determine the writer of a read,
// or name one that is no candidate.
Result<void> find_sources(WeakOrder& order);
// Checks that the order explains every read at a level without replay. Requires that the order respects
// session order if the level has it.
Result<void> certify_weak_order(WeakOrder order);
// The last step, for the two kinds of views: checks that no reader has a newer version of the key in its
// view. The view consists of the writers of reads, or of all transactions that reach the reader.
Result<void> certify_direct_views(const WeakOrder& order);
Result<void> certify_pasts(const WeakOrder& order);

Error newer_in_view(const History& history, OpId read, TxnId newer);

}  // namespace assay
