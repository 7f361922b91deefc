#include "replay/turns.h"

namespace assay::replay {
namespace {

constexpr std::chrono::milliseconds kAskEvery{10};
constexpr int kMostQuestions = 2000;  // a statement that is only slow may take as long as these

}  // namespace

void Turns::give(std::size_t transaction, const std::optional<sql::Place>& place) {
  std::unique_lock lock(mutex_);
  Lane& lane = lanes_[transaction];
  lane.turns.push_back(place);
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

void Turns::wait_for_turn(std::unique_lock<std::mutex>& lock, Lane& lane) {
  if (lane.turns.empty()) {
    lane.waiting = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return !lane.turns.empty(); });
  }
  lane.waiting = false;
}

// A statement that comes again, as in a loop over it, runs in the same turn.
void Turns::before(std::size_t transaction, const Gate& gate) {
  std::unique_lock lock(mutex_);
  Lane& lane = lanes_[transaction];
  while (true) {
    wait_for_turn(lock, lane);
    const auto& turn = lane.turns.front();
    if (!turn) return;  // to the end
    if (lane.reached == gate.number) return;
    if (!lane.reached) {
      const bool here = turn->line == gate.place.line && *turn->file == *gate.place.file;
      if (here) lane.reached = gate.number;
      return;  // it runs, or is on the way
    }
    lane.turns.pop_front();
    lane.reached.reset();
  }
}

void Turns::before_commit(std::size_t transaction) {
  std::unique_lock lock(mutex_);
  Lane& lane = lanes_[transaction];
  while (true) {
    wait_for_turn(lock, lane);
    if (!lane.turns.front()) return;
    lane.turns.pop_front();
    lane.reached.reset();
  }
}

void Turns::finished(std::size_t transaction) {
  const std::lock_guard lock(mutex_);
  lanes_[transaction].finished = true;
  changed_.notify_all();
}

}  // namespace assay::replay
