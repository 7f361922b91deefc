// What an execution at a level without a total order (rc, ra, cc, psi) says: the position of each
// transaction, and the writer of each read.
//
// This file trusts the execution, since the search made it. The checker of certificates does not, and shares
// nothing with it (certify/order.h).
#pragma once

#include <vector>

#include "base/budget.h"
#include "dependency/read_facts.h"
#include "graph/clocks.h"
#include "isolation/level.h"
#include "verdict/proof.h"

namespace assay {

class ExecutionView {
 public:
  struct Read {
    OpId op;
    KeyId key;
    TxnId writer;  // none() for the initial transaction
  };

  // All transactions of `execution` count or may count (read_facts.h).
  static Result<ExecutionView> of(const History& history, Level level, const Execution& execution);

  const Order& order() const { return *order_; }
  bool contains(TxnId t) const { return at_[t.index()] != 0; }
  // The position in the order, from 1; the initial transaction is at 0.
  std::uint32_t at(TxnId t) const { return t.is_none() ? 0 : at_[t.index()]; }
  std::span<const KeyId> keys_written(TxnId t) const { return facts_.written_by(t); }
  bool writes(TxnId t, KeyId key) const { return facts_.writes_key(t, key); }
  // The external reads; at levels with repeatable reads only the first of each key.
  std::span<const Read> reads(TxnId t) const {
    return {reads_.data() + reads_begin_[t.index()], reads_begin_[t.index() + 1] - reads_begin_[t.index()]};
  }

 private:
  ExecutionView(ReadFacts facts, const Order& order) : facts_(std::move(facts)), order_(&order) {}
  void find_reads(const History& history, const std::vector<Source>& from);

  ReadFacts facts_;
  const Order* order_;
  std::vector<std::uint32_t> at_;           // by transaction: its position; 0 if it is not in the order
  std::vector<std::uint32_t> reads_begin_;  // by transaction: where its reads begin in reads_
  std::vector<Read> reads_;
};

// Clocks that answer which transactions reach which at cc and psi: along session order and reads, at psi also
// from each writer of a key to the next. The chains are the sessions. A transaction of unknown outcome
// precedes nothing in its session, so it is a chain of its own. Returns an error if the clocks would not fit
// into memory or the budget is spent.
Result<Clocks> past_clocks(const History& history, Level level, const ExecutionView& view, Budget& budget);

}  // namespace assay
