#include "cli/replay_turns.h"

namespace assay::cli {
namespace {

constexpr std::chrono::milliseconds kAskEvery{50};
constexpr int kMostQuestions = 400;  // a statement that is only slow may take as long as these

}  // namespace

void ReplayTurns::give(std::size_t transaction, std::optional<std::uint32_t> statement) {
  std::unique_lock lock(mutex_);
  Lane& lane = lanes_[transaction];
  lane.turns.push_back(statement);
  lane.waiting = false;
  changed_.notify_all();
  for (int question = 0; question < kMostQuestions; ++question) {
    if (changed_.wait_for(lock, kAskEvery, [&] { return lane.waiting || lane.finished; })) return;
    lock.unlock();
    const bool blocked = blocked_(transaction);
    lock.lock();
    if (blocked) return;
  }
}

void ReplayTurns::wait_for_turn(std::unique_lock<std::mutex>& lock, Lane& lane) {
  if (lane.turns.empty()) {
    lane.waiting = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return !lane.turns.empty(); });
  }
  lane.waiting = false;
}

void ReplayTurns::before(std::size_t transaction, std::uint32_t statement) {
  std::unique_lock lock(mutex_);
  Lane& lane = lanes_[transaction];
  while (true) {
    wait_for_turn(lock, lane);
    const auto& turn = lane.turns.front();
    if (!turn) return;  // to the end
    if (*turn == statement) {
      lane.reached = true;
      return;
    }
    if (!lane.reached) return;  // on the way there
    lane.turns.pop_front();
    lane.reached = false;
  }
}

void ReplayTurns::before_commit(std::size_t transaction) {
  std::unique_lock lock(mutex_);
  Lane& lane = lanes_[transaction];
  while (true) {
    wait_for_turn(lock, lane);
    if (!lane.turns.front()) return;
    lane.turns.pop_front();
    lane.reached = false;
  }
}

void ReplayTurns::finished(std::size_t transaction) {
  const std::lock_guard lock(mutex_);
  lanes_[transaction].finished = true;
  changed_.notify_all();
}

}  // namespace assay::cli
