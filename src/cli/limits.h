// Time, memory and Ctrl-C: what ends a check before it has decided, and a line that says it is alive.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace assay::cli {

// From now on Ctrl-C and SIGTERM ask to stop; a second one ends the process at once.
void watch_interrupts();
bool was_interrupted();

std::size_t resident_bytes();  // memory of this process; 0 where the system does not say

class Limits {
 public:
  // Nothing: no limit. Memory is the resident size of the process.
  Limits(std::optional<double> seconds, std::optional<std::size_t> megabytes);

  // Starts the clock for one level of one history, of whose time some seconds were spent before.
  void start(std::string what, double spent = 0);
  // One for all that follows, too; nothing: no more.
  void end_in(std::optional<double> seconds);
  void finish();  // takes the progress line away
  // Why to stop, or nothing. Cheap enough for inner loops. `more`: bytes of memory that are about to be
  // taken.
  std::optional<std::string> reached(std::size_t more = 0);

 private:
  void show_progress(double seconds);

  std::optional<double> seconds_;
  std::optional<std::size_t> megabytes_;
  std::chrono::steady_clock::time_point start_;
  std::optional<std::chrono::steady_clock::time_point> end_;
  std::string what_;
  std::chrono::steady_clock::time_point asked_;
  unsigned pass_over_ = 0, passed_over_ = 0;  // questions between two looks at the clock
  double shown_at_ = 0;
  bool shown_ = false;
};

}  // namespace assay::cli
