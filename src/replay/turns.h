// Whose turn it is in a replay: lets the statements of several transactions run in one order.
//
// Each transaction is a thread that asks at every gate. A turn takes it through the statement at one line,
// and through those before that the schedule left out. Whoever gives turns waits until it was used, or until
// the statement is blocked: then turns that come later queue up.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "replay/gates.h"

namespace assay::replay {

class Turns {
 public:
  // `blocked` is asked now and then, by whoever gives turns.
  Turns(std::size_t transactions, std::function<bool(std::size_t)> blocked)
      : blocked_(std::move(blocked)), lanes_(transactions) {}

  // By the schedule. Without a place: to the end, commit included.
  void give(std::size_t transaction, const std::optional<sql::Place>& place);
  void give_all(std::size_t transaction) { give(transaction, std::nullopt); }

  // By the transactions: returns when the statement behind the gate may run.
  void before(std::size_t transaction, const Gate& gate);
  void before_commit(std::size_t transaction);
  void finished(std::size_t transaction);

 private:
  struct Lane {
    std::deque<std::optional<sql::Place>> turns;  // the first is being used
    std::optional<std::size_t> reached;           // the gate at its place, when the statement has begun
    bool waiting = false, finished = false;
  };
  void wait_for_turn(std::unique_lock<std::mutex>& lock, Lane& lane);

  const std::function<bool(std::size_t)> blocked_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Lane> lanes_;
};

}  // namespace assay::replay
