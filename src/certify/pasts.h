// Pasts: what reaches a transaction at cc and psi, through sessions and reads, at psi also through the order
// of writers.
//
// Each transaction has a clock: how far into each session its past reaches. A transaction of unknown outcome
// precedes nothing in its session, so it counts as a session of its own. Transactions times sessions, in time
// and memory.
#pragma once

#include "certify/order.h"

namespace assay {

class Pasts {
 public:
  // `source` is filled in.
  explicit Pasts(const WeakOrder& order);

  // Follows all transactions; calls visit(t) when the past of t is known, and those of all before it in the
  // order. An error when the clocks would not fit into memory, and that of a visit.
  template <class Visit>
  Result<void> follow(const Order& order, Visit visit) {
    ASSAY_TRY(begin(order.size()));
    for (const Point& p : order) {
      collect(p.txn);
      ASSAY_TRY(visit(p.txn));
      for (const KeyId key : reads_.keys_written(p.txn)) last_writer_[key.index()] = p.txn;
    }
    return {};
  }

  // Sessions, and transactions of unknown outcome.
  std::size_t chain_count() const { return chains_; }
  std::size_t chain(TxnId t) const { return chain_[t.index()]; }
  // In its chain, from 1.
  std::uint32_t place(TxnId t) const { return h_.position(t) + 1; }
  // By chain: the place up to which it is in the past of t; 0: nothing of it is.
  const std::uint32_t* clock(TxnId t) const { return clocks_.data() + at_.of(t) * chains_; }

 private:
  Result<void> begin(std::size_t transactions);
  void collect(TxnId t);
  void join(TxnId from, TxnId into);

  const History& h_;
  const bool writers_are_ordered_;
  const Positions& at_;
  const Reads& reads_;
  const std::vector<TxnId>& source_;
  std::vector<TxnId> before_;       // the last one of known outcome before it in its session
  std::vector<std::size_t> chain_;  // the session, or one of its own
  std::vector<TxnId> last_writer_;  // by key, so far
  std::size_t chains_ = 0;
  std::vector<std::uint32_t> clocks_;  // by position in the order and chain
};

}  // namespace assay
