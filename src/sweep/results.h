// What a sweep found out about one history, and the file that keeps it: one JSON object a line.
//
// A line is written as soon as a history is judged. So a sweep that was stopped goes on where it ended, and
// the files of several machines can be merged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sweep/inputs.h"

namespace assay::sweep {

struct LevelResult {
  std::string level, verdict;  // "holds", "violated", "undecided"
  double seconds = 0;
  std::string anomaly{}, why{}, text{};  // of a violation: its name and explanation; why it is undecided
};

struct HistoryResult {
  Input input;
  std::string asked;  // the levels and the skew of the request
  std::uint64_t transactions = 0;
  double seconds = 0;  // reading included
  std::vector<LevelResult> levels{};
  std::vector<std::string> notes{};
  std::string problem{};  // why the history was not judged
  std::string page{};     // of the violation, relative to the folder of the results

  bool has(std::string_view verdict) const;
};

std::string as_line(const HistoryResult& result);
Result<HistoryResult> parse_line(std::string_view line);

// All results in the file. A last line that was cut off is dropped; `dropped` says so.
struct Results {
  std::vector<HistoryResult> all;
  bool dropped = false;
  std::uint64_t whole_bytes = 0;  // the length of the file without it
};
Result<Results> read_results(const std::string& file);

}  // namespace assay::sweep
