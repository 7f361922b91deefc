// The parts of checking an order that are shared: where each transaction stands in it, and the stores that
// the two kinds of replay keep.
#pragma once

#include <algorithm>
#include <vector>

#include "verdict/certify_reads.h"
#include "verdict/proof.h"

namespace assay {

inline constexpr std::uint32_t kNowhere = UINT32_MAX;

// Positions count from 1; the initial transaction is at 0.
struct Positions {
  std::vector<std::uint32_t> snapshot, commit;  // by transaction; kNowhere: left out
  std::uint32_t of(TxnId t) const { return t.is_none() ? 0 : commit[t.index()]; }
  bool contain(TxnId t) const { return commit[t.index()] != kNowhere; }
};

// The order explains every read at rc, ra, cc or psi, given that it contains session order.
Result<void> certify_weak_order(const History& history, Level level, const Order& order, const Positions& at,
                                const Reads& reads);

}  // namespace assay
