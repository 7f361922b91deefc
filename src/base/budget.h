// What a long computation may use: time, memory, and the patience of whoever waits for it.
//
// One budget is handed down to everything that can take long. Each loop that can be long polls is_spent(),
// which costs a counter and, about once in a millisecond, a look at the clock. A budget that is spent stays
// spent: whoever sees it returns what it has, without a result, and the caller asks why(). So limits end in
// "undecided", never in a guess.
//
// A part of the work can have a budget of its own, which is spent no later than the whole's. Progress is
// reported to the outermost one: the name of the stage, and how much of it is done.
//
// A budget belongs to one thread. Other threads and signal handlers end it by a flag that it is given.
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
  std::string_view task, stage;     // names that live long enough, as literals do
  std::size_t done = 0, total = 0;  // total 0: unknown
  double seconds = 0;               // since the budget began
};

class Budget {
 public:
  struct Limits {
    std::optional<double> seconds{};
    double spent = 0;                        // seconds of these that are gone already
    std::string time_is_up{};                // what why() says then; empty: "the limit of N s was reached"
    std::optional<std::size_t> megabytes{};  // of resident memory of the process
    const std::atomic<bool>* interrupted = nullptr;
    // A reason of the caller's own to stop, or nothing. `more`: as is_spent() got it.
    std::function<std::optional<std::string>(std::size_t more)> ask{};
    std::function<void(const Progress&)> show{};  // called now and then while the work goes on
  };

  Budget() : Budget(Limits{}) {}  // without limits
  static Budget& unlimited();     // of the calling thread
  explicit Budget(Limits limits);
  // For a part of the work that `whole` pays for, and that is ended with it.
  Budget(Budget& whole, Limits limits);
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  // Whether to stop. `more`: bytes that are about to be taken.
  bool is_spent(std::size_t more = 0) {
    if (is_spent_) return true;
    if (more == 0 && polls_to_pass_over_ > 0) return --polls_to_pass_over_, false;
    return look(more);
  }
  // As if it began now, with so many seconds gone already: for the next of several equal parts of the work.
  void restart(double spent = 0);
  // Empty as long as it is not spent.
  const std::string& why() const { return why_; }

  // What is being done now, as "judging ser" and "guessing an order"; `done` of `total` so far.
  void begin_task(std::string_view name);
  void begin_stage(std::string_view name, std::size_t total = 0);
  void set_done(std::size_t done) { outermost_->progress_.done = done; }

  // Why so many bytes more are too many, if they are.
  std::optional<std::string> no_room_for(std::size_t bytes) const;
  // Bytes that may still be taken: what is left of the limit, or of what the system has.
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
