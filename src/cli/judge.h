// From a file to findings: reads a history, judges it, and explains what is violated.
#pragma once

#include <optional>

#include "check/check.h"
#include "cli/command.h"
#include "report/findings.h"

namespace assay::cli {

// Levels by name, separated by commas; `all` is set when that was one of them: every level that is judged.
Result<std::vector<Level>> chosen_levels(const std::string& names, bool& all);

struct JudgeOptions {
  std::string called;  // what results call the history; nothing: its file
  std::vector<Level> levels;
  bool all = false;                   // of these, those that the history can be judged at
  std::int64_t skew = 0;              // nanoseconds by which clocks may differ
  std::optional<double> timeout;      // seconds per level
  std::optional<double> in_all;       // seconds for all levels together
  std::optional<std::size_t> memory;  // megabytes
  std::size_t threads = 1;            // searches at once, where one takes long
  bool explain = true;
  double patience = 10;  // seconds for making explanations small; more where judging took longer
  bool verbose = false;  // say on stderr how each verdict came about
  bool no_greedy = false, eager_choices = false, no_saturation = false, no_assumption = false;  // to measure
};

// The history and what was found out about it; they stay together, since the findings look at the history.
class JudgedFile {
 public:
  // The first error ends it: then nothing was judged. A limit that is reached while reading leaves all levels
  // undecided.
  static Result<JudgedFile> judge(const std::string& file, const Format* format, const JudgeOptions& options);
  // A history that is at hand, and what to call it and its format.
  static Result<JudgedFile> judge(History history, const std::string& called, std::string_view format,
                                  const JudgeOptions& options, double reading_seconds = 0);

  const History& history() const { return *history_; }
  const Findings& findings() const { return *findings_; }

 private:
  static JudgedFile unread(const std::string& file, const Format* format, const JudgeOptions& options,
                           const std::string& why, double seconds);

  std::unique_ptr<History> history_;
  std::unique_ptr<Findings> findings_;
};

}  // namespace assay::cli
