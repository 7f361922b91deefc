// One line on the terminal that says what is being done and how far it is. Nothing where there is no
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

  // For work that takes longer than a moment.
  void show(const Progress& progress);
  void clear();
  // For budgets; the line must live as long.
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

// The limits of a command: seconds, megabytes, Ctrl-C, and a line that shows progress.
Budget::Limits command_limits(std::optional<double> seconds, std::optional<std::size_t> megabytes,
                              ProgressLine& line);

// Why the budget is spent, or nothing: for those who ask by a function.
std::function<std::optional<std::string>()> stop_of(Budget& budget);

}  // namespace assay::cli
