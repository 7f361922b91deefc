// Pasts: the transactions that reach a transaction at cc and psi, along session order and reads, at psi also
// along the order of writers.
//
// Each transaction has a clock, which says how far its past reaches in each session. A transaction of unknown
// outcome precedes nothing in its session, so it counts as a session of its own. Time and memory are
// transactions times sessions.
#pragma once

#include "certify/order.h"

namespace assay {

class Pasts {
 public:
  // find_sources() must have filled in `source`.
  explicit Pasts(const WeakOrder& order);

  // Goes through the transactions in order, and calls visit(t) when the past of t and of all before it is
  // known. Returns an error if the clocks would not fit into memory, and the error of a visit.
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

  // A chain is a session, or one transaction of unknown outcome.
  std::size_t chain_count() const { return chains_; }
  std::size_t chain(TxnId t) const { return chain_[t.index()]; }
  // The position in its chain, from 1.
  std::uint32_t place(TxnId t) const { return h_.position(t) + 1; }
  // By chain: the position of its last transaction in the past of t; 0 if there is none.
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
  std::vector<TxnId> before_;       // the last committed transaction before it in its session
  std::vector<std::size_t> chain_;  // by transaction: its chain
  std::vector<TxnId> last_writer_;  // by key: its last writer so far
  std::size_t chains_ = 0;
  std::vector<std::uint32_t> clocks_;  // by position in the order, then by chain
};

}  // namespace assay
