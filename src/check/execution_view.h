// An execution of a level without one store (rc, ra, cc, psi), as those ask about it who complete it: where
// each transaction stands, and from whom each read is.
//
// The search made the execution, so it is taken at its word. The checker of certificates, which does not, has
// nothing of this (certify/order.h).
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
    TxnId writer;  // none: the initial transaction
  };

  // `execution` is of the history, and has no transactions but those that count, or may (read_facts.h).
  static Result<ExecutionView> of(const History& history, Level level, const Execution& execution);

  const Order& order() const { return *order_; }
  bool contains(TxnId t) const { return at_[t.index()] != 0; }
  // From 1; the initial transaction is at 0.
  std::uint32_t at(TxnId t) const { return t.is_none() ? 0 : at_[t.index()]; }
  std::span<const KeyId> keys_written(TxnId t) const { return facts_.written_by(t); }
  bool writes(TxnId t, KeyId key) const { return facts_.writes_key(t, key); }
  // External ones; where reads repeat, the first of each key.
  std::span<const Read> reads(TxnId t) const {
    return {reads_.data() + reads_begin_[t.index()], reads_begin_[t.index() + 1] - reads_begin_[t.index()]};
  }

 private:
  ExecutionView(ReadFacts facts, const Order& order) : facts_(std::move(facts)), order_(&order) {}
  void find_reads(const History& history, const std::vector<Source>& from);

  ReadFacts facts_;
  const Order* order_;
  std::vector<std::uint32_t> at_;           // by transaction; 0: left out
  std::vector<std::uint32_t> reads_begin_;  // by transaction
  std::vector<Read> reads_;
};

// What reaches whom at cc and psi: through sessions and reads, at psi also from one writer of a key to the
// next. Chains are the sessions; a transaction of unknown outcome, which precedes nothing in its session, is
// one by itself. An error if the clocks would not fit into memory, or the
// budget is spent.
Result<Clocks> past_clocks(const History& history, Level level, const ExecutionView& view, Budget& budget);

}  // namespace assay
