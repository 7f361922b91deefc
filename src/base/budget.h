// The limits of a long computation: time, memory, and interruption by the user.
//
// The caller hands one budget down to everything that can take long. Each loop that can be long polls
// is_spent(), which usually costs only a counter and now and then a look at the clock. A spent budget stays
// spent: whoever sees it returns without a result, and the caller asks why(). So a limit ends in "undecided",
// never in a guess.
//
// A part of the work can have a budget of its own, which ends no later than the budget of the whole. Progress
// is reported to the outermost budget: the name of the stage, and how much of it is done.
//
// A budget belongs to one thread. Other threads and signal handlers end it through the flag `interrupted`.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

struct Progress {
  std::string_view task, stage;     // string literals, or names that outlive the budget
  std::size_t done = 0, total = 0;  // total 0: unknown
  double seconds = 0;               // since the budget began
};

class Budget {
 public:
  struct Limits {
    std::optional<double> seconds{};
    double spent = 0;                        // how many of these seconds are already used up
    std::string time_is_up{};                // why() after a time-out; empty: a text with the seconds
    std::optional<std::size_t> megabytes{};  // of resident memory of the process
    const std::atomic<bool>* interrupted = nullptr;
    // Returns the caller's own reason to stop, if it has one. `more`: the argument of is_spent().
    std::function<std::optional<std::string>(std::size_t more)> ask{};
    std::function<void(const Progress&)> show{};  // called now and then while the work goes on
  };

  Budget() : Budget(Limits{}) {}  // without limits
  static Budget& unlimited();     // one per thread
  explicit Budget(Limits limits);
  // The budget of a part of the work: when `whole` is spent, so is this one.
  Budget(Budget& whole, Limits limits);
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  // Whether to stop now. `more`: bytes that the caller is about to allocate.
  bool is_spent(std::size_t more = 0) {
    if (is_spent_) return true;
    if (more == 0 && polls_to_pass_over_ > 0) return --polls_to_pass_over_, false;
    return look(more);
  }
  // Begins anew, with `spent` seconds already used up: for the next of several equal parts of the work.
  void restart(double spent = 0);
  // Why the budget is spent; empty as long as it is not.
  const std::string& why() const { return why_; }

  // Names the current work for the progress line: a task ("judging ser") and its stage ("guessing an order"),
  // of which set_done() counts the finished part of `total`.
  void begin_task(std::string_view name);
  void begin_stage(std::string_view name, std::size_t total = 0);
  void set_done(std::size_t done) { outermost_->progress_.done = done; }

  // If allocating so many bytes would exceed the memory limit: the reason, as a text.
  std::optional<std::string> no_room_for(std::size_t bytes) const;
  // Bytes that may still be allocated: the rest of the limit, but no more than the system has available.
  std::size_t memory_left() const;

 private:
  bool look(std::size_t more);
  std::optional<std::string> reason(std::chrono::steady_clock::time_point now, std::size_t more);
  bool must_look_at_memory(std::chrono::steady_clock::time_point now, std::size_t more);

  Limits limits_;
  Budget* whole_ = nullptr;
  Budget* outermost_ = this;
  std::chrono::steady_clock::time_point start_, last_look_, last_look_at_memory_;
  bool is_limited_;
  bool is_spent_ = false;
  unsigned polls_to_pass_over_ = 0, passed_over_ = 0;
  std::string why_;
  Progress progress_;
};

}  // namespace assay
