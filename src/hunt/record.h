// Runs a workload on a database once and leaves the history as one file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "collect/collector.h"

namespace assay {

struct RunPlan {
  CollectOptions collect{};          // `directory` is for the journals, `note` is written here
  std::string history{};             // the file to write, in the format of its name
  std::string workload = "general";  // what the note calls the workload
  std::string faults{};              // what the note says of faults; empty: there are none
  std::function<void()> recorded{};  // called when the journals are complete, before they are removed
};

struct RecordedRun {
  Tally tally;
  std::vector<std::string> left_out{};  // what the format of the history cannot say
  std::optional<Error> problem{};       // that ended the run before its time
};

// "SQLite 3.40.1, serializable", the way notes and messages name a configuration.
std::string describe(const Database& database, const std::vector<const DatabaseLevel*>& levels);

// `go_on` is asked a few times a second; false ends the run early. What was recorded is in the history
// however the run ended; an error says that there is none. The journals are gone when the history is written;
// a run that is killed leaves them, and they can be read.
Result<RecordedRun> record(Database& database, const RunPlan& plan,
                           const std::function<bool(const Tally&)>& go_on);

}  // namespace assay
