// A line on the terminal that shows the current work and its progress. It shows nothing if stderr is not a
// terminal.
#pragma once

#include <functional>
#include <string>

#include "base/budget.h"

namespace assay::cli {

class ProgressLine {
 public:
  explicit ProgressLine(std::string what) : what_(std::move(what)) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  // Shows the line once the work has taken longer than a moment.
  void show(const Progress& progress);
  void clear();
  // For Budget::Limits::show. The line must outlive the budget.
  std::function<void(const Progress&)> shower() {
    return [this](const Progress& progress) { show(progress); };
  }

 private:
  std::string what_;
  double shown_at_ = 0;  // seconds
  bool is_shown_ = false;
};

// "ser, guessing an order, 40 %, 12 s"
std::string in_words(const Progress& progress);

// The limits of a command: seconds, megabytes, Ctrl-C, and a progress line.
Budget::Limits command_limits(std::optional<double> seconds, std::optional<std::size_t> megabytes,
                              ProgressLine& line);

// The budget as a stop function: returns why it is spent, or nothing.
std::function<std::optional<std::string>()> stop_of(Budget& budget);

}  // namespace assay::cli
