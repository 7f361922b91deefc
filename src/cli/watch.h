// Judges a source of lines while something else goes on: `assay watch` waits in between, `assay run --watch`
// runs a workload.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/command.h"
#include "isolation/level_set.h"

namespace assay::cli {

struct WatchArguments {
  std::string source, level = "ser", horizon = "1s", patience, violations = ".", metrics, state;
  std::optional<double> timeout;
  std::optional<std::size_t> memory;
  std::size_t batch = 0;
  bool stop = false, once = false, json = false, quiet = false;
};

// The level of real time whose skew is the horizon.
Level in_real_time(Level level);

class StreamWatcher {
 public:
  // The arguments must outlive it.
  static Result<std::unique_ptr<StreamWatcher>> open(const WatchArguments& arguments);
  virtual ~StreamWatcher() = default;

  // Reads what is there, waiting at most so many seconds for the first line, and judges it if it is time.
  enum class Step : std::uint8_t { More, CaughtUp, Done };  // Done: nothing more is to be read
  virtual Result<Step> step(double seconds) = 0;
  // Judges the rest, if the source has ended or `ended`, and prints a summary.
  virtual Result<Exit> finish(bool ended = false) = 0;
};

}  // namespace assay::cli
