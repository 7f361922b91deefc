// Whose turn it is in a replay: lets the statements of several transactions run in one order.
//
// Each transaction is a thread that asks before every statement. A turn takes it through the statement it
// names, and through those before that the schedule left out. Whoever gives turns waits until it was used, or
// for a while: then the statement is taken to be blocked, and turns that come later queue up.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace assay::cli {

class ReplayTurns {
 public:
  // `blocked` is asked now and then, by whoever gives turns.
  ReplayTurns(std::size_t transactions, std::function<bool(std::size_t)> blocked)
      : blocked_(std::move(blocked)), lanes_(transactions) {}

  // By the schedule. Without a statement: to the end, commit included.
  void give(std::size_t transaction, std::optional<std::uint32_t> statement);
  void give_all(std::size_t transaction) { give(transaction, std::nullopt); }

  // By the transactions: returns when the statement may run.
  void before(std::size_t transaction, std::uint32_t statement);
  void before_commit(std::size_t transaction);
  void finished(std::size_t transaction);

 private:
  struct Lane {
    std::deque<std::optional<std::uint32_t>> turns;  // the first is being used
    bool reached = false;                            // the statement of the first turn has begun
    bool waiting = false, finished = false;
  };
  void wait_for_turn(std::unique_lock<std::mutex>& lock, Lane& lane);

  const std::function<bool(std::size_t)> blocked_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Lane> lanes_;
};

}  // namespace assay::cli
