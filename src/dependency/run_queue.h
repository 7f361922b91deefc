// Decides which transaction a greedy execution tries next.
//
// Transactions that may run are tried in order of their rank. One that was tried in vain waits for a key, and
// is tried again when that key has changed. Some of these are blocked: they wait only because another order
// would be better. When nothing else is left to try, the first blocked one is forced to run. Each session
// releases its transactions one after another.
#pragma once

#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "dependency/read_facts.h"
#include "isolation/point_rules.h"

namespace assay {

// The transactions that wait for a change to a key: a linked list for each key.
class WaitingByKey {
 public:
  explicit WaitingByKey(std::size_t keys) : first_(keys, kNobody) {}

  void add(KeyId key, TxnId t) {
    std::uint32_t place = free_;
    if (place == kNobody) {
      place = static_cast<std::uint32_t>(waiters_.size());
      waiters_.push_back({});
    } else {
      free_ = waiters_[place].next;
    }
    waiters_[place] = {t, std::exchange(first_[key.index()], place)};
  }

  bool has(KeyId key) const { return first_[key.index()] != kNobody; }
  // Empties the list of the key.
  template <class Visit>
  void take(KeyId key, Visit visit) {
    for (std::uint32_t i = std::exchange(first_[key.index()], kNobody); i != kNobody;) {
      visit(waiters_[i].txn);
      const std::uint32_t next = waiters_[i].next;
      waiters_[i].next = std::exchange(free_, i);
      i = next;
    }
  }

  void fetch(KeyId key) const { __builtin_prefetch(&first_[key.index()]); }

 private:
  static constexpr std::uint32_t kNobody = UINT32_MAX;
  struct Waiter {
    TxnId txn;
    std::uint32_t next;
  };
  std::vector<std::uint32_t> first_;  // by key
  std::vector<Waiter> waiters_;
  std::uint32_t free_ = kNobody;  // the list of unused entries
};

// Holds the transactions that count. Each is released when its session reaches it. It then leaves and enters
// the queue until it has run.
class RunQueue {
 public:
  // `rank`, by transaction: of several runnable ones, the lowest runs first.
  RunQueue(const History& history, const ReadFacts& facts, const PointRules& rules,
           std::vector<std::uint32_t> rank)
      : h_(history),
        facts_(facts),
        session_order_(rules.session_order),
        waiting_(history.key_count()),
        rank_(std::move(rank)),
        by_rank_(rank_.size()),
        is_released_(rank_.size()) {
    for (std::uint32_t t = 0; t < rank_.size(); ++t) by_rank_[rank_[t]] = TxnId(t);
  }

  // Releases the first transactions of each session, or all at a level without session order.
  void begin() {
    if (session_order_) {
      for (const SessionId s : h_.sessions()) release_from(s, 0);
      return;
    }
    for (const TxnId t : h_.transactions())
      if (facts_.counts[t.index()]) release(t);
  }
  // The transaction has run, so its session goes on.
  void finish(TxnId t) {
    if (session_order_ && h_.outcome(t) == Outcome::Committed)
      release_from(h_.session(t), h_.position(t) + 1);
  }

  struct Turn {
    TxnId txn;
    bool is_forced;  // no other transaction can run; this one may have run by now
  };
  // Returns nothing if no transaction can run.
  std::optional<Turn> next() {
    const bool is_forced = ready_.empty();
    Queue& queue = is_forced ? blocked_ : ready_;
    if (queue.empty()) return std::nullopt;
    const TxnId t = by_rank_[queue.top()];
    queue.pop();
    return Turn{t, is_forced};
  }
  // The transaction that is tried next if that is known already, or none().
  TxnId after_this() const { return ready_.empty() ? TxnId::none() : by_rank_[ready_.top()]; }

  // Tries the transaction again when the key has changed.
  void wait_for(KeyId key, TxnId t) { waiting_.add(key, t); }
  // Does the same, and allows forcing the transaction, because another order would have avoided the wait.
  void block(KeyId key, TxnId t) {
    wait_for(key, t);
    blocked_.push(rank_[t.index()]);
  }
  // The key has changed, so the transactions that wait for it are tried again.
  void wake(KeyId key) {
    if (waiting_.has(key)) waiting_.take(key, [&](TxnId t) { ready_.push(rank_[t.index()]); });
  }
  // Tries the transaction again for another reason.
  void retry(TxnId t) {
    if (is_released_[t.index()]) ready_.push(rank_[t.index()]);
  }

  void fetch(KeyId key) const { waiting_.fetch(key); }
  std::span<const std::uint32_t> rank() const { return rank_; }

 private:
  using Queue = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>;

  void release(TxnId t) {
    is_released_[t.index()] = true;
    ready_.push(rank_[t.index()]);
  }

  // Releases a session's transactions from `position` up to and including the next committed one. A
  // transaction of unknown outcome does not delay those after it.
  void release_from(SessionId s, std::size_t position) {
    const auto session = h_.transactions(s);
    for (; position < session.size(); ++position) {
      const TxnId t = session[position];
      if (!facts_.counts[t.index()]) continue;
      release(t);
      if (h_.outcome(t) == Outcome::Committed) return;
    }
  }

  const History& h_;
  const ReadFacts& facts_;
  const bool session_order_;
  WaitingByKey waiting_;
  std::vector<std::uint32_t> rank_;
  std::vector<TxnId> by_rank_;
  std::vector<bool> is_released_;  // by transaction
  Queue ready_, blocked_;          // ranks
};

}  // namespace assay
