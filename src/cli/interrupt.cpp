#include "cli/interrupt.h"

#include <csignal>
#include <cstdint>
#include <ctime>

namespace assay::cli {
namespace {

// A lock-free atomic, because any thread may receive the signal.
std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

std::atomic<std::int64_t> interrupted_at = 0;  // nanoseconds

// `timeout` signals both the process and its group, so one request may arrive twice. Signals within this time
// count as one.
constexpr std::int64_t kOneWish = 500'000'000;

void on_interrupt(int signal) {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  const std::int64_t now = time.tv_sec * 1'000'000'000 + time.tv_nsec;
  if (interrupted_at != 0 && now - interrupted_at <= kOneWish) return;
  interrupted_at = now;
  if (!interrupted) {
    interrupted = true;
  } else {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

const std::atomic<bool>& watch_interrupts() {
  if (!interrupted) {
    // No SA_RESTART, so that the signal interrupts a read from a silent pipe too.
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
  }
  return interrupted;
}

bool was_interrupted() { return interrupted; }

bool take_interrupt() { return interrupted.exchange(false); }

}  // namespace assay::cli
