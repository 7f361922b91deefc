#include "cli/limits.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <ctime>

#include "base/printable.h"

namespace assay::cli {
namespace {

// The signal may come in any thread.
std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

std::atomic<std::int64_t> interrupted_at = 0;  // nanoseconds

// `timeout` signals the process and its group, so one wish to stop may arrive twice at once.
constexpr std::int64_t kOneWish = 500'000'000;

void on_interrupt(int signal) {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  const std::int64_t now = time.tv_sec * 1'000'000'000 + time.tv_nsec;
  if (!interrupted) {
    interrupted_at = now;
    interrupted = true;
  } else if (now - interrupted_at > kOneWish) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

// Those who ask often are answered by the clock now and then; those who ask rarely, each time.
constexpr std::chrono::milliseconds kOften(1);
constexpr unsigned kMostPassedOver = 7;

}  // namespace

std::size_t resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long size = 0, resident = 0;
  const int read = std::fscanf(file, "%lu %lu", &size, &resident);
  std::fclose(file);
  return read == 2 ? resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : 0;
}

void watch_interrupts() {
  if (interrupted) return;
  // Without SA_RESTART: a read from a pipe that gives nothing ends, too.
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool was_interrupted() { return interrupted != 0; }

Limits::Limits(std::optional<double> seconds, std::optional<std::size_t> megabytes)
    : seconds_(seconds), megabytes_(megabytes) {
  watch_interrupts();
}

void Limits::start(std::string what, double spent) {
  using Clock = std::chrono::steady_clock;
  start_ = Clock::now() - std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(spent));
  what_ = std::move(what);
  pass_over_ = passed_over_ = 0;
  shown_at_ = 2;
}

void Limits::end_in(std::optional<double> seconds) {
  using Clock = std::chrono::steady_clock;
  end_.reset();
  if (seconds)
    end_ =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*seconds));
}

void Limits::finish() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

std::optional<std::string> Limits::reached(std::size_t more) {
  if (interrupted) return "interrupted";
  if (more == 0 && passed_over_ < pass_over_) {
    ++passed_over_;
    return std::nullopt;
  }
  const auto now = std::chrono::steady_clock::now();
  pass_over_ = now - asked_ < kOften ? std::min(2 * pass_over_ + 1, kMostPassedOver) : 0;
  passed_over_ = 0;
  asked_ = now;
  if (end_ && now >= *end_) return "the limit for all levels was reached";
  const std::chrono::duration<double> spent = now - start_;
  if (seconds_ && spent.count() >= *seconds_) return fmt::format("the limit of {} s was reached", *seconds_);
  if (megabytes_ && (resident_bytes() + more) >> 20 > *megabytes_)
    return fmt::format("the limit of {} MB was reached", *megabytes_);
  show_progress(spent.count());
  return std::nullopt;
}

void Limits::show_progress(double seconds) {
  if (seconds < shown_at_ || isatty(STDERR_FILENO) == 0) return;
  fmt::print(stderr, "\rassay: {}, {:.0f} s", printable(what_), seconds);
  std::fflush(stderr);
  shown_at_ = seconds + 0.5;
  shown_ = true;
}

}  // namespace assay::cli
