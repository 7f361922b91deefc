// Runs clients against a database and leaves their journals: the directory is a history that any command
// reads.
//
// A client is a thread with a connection, a workload and a journal of its own. Clients share a flag that says
// stop and nothing else, so that recording does not order what they do. Memory does not grow with the run.
#pragma once

#include <functional>
#include <vector>

#include "collect/database.h"
#include "collect/faults.h"

namespace assay {

struct CollectOptions {
  GeneratorOptions workload;                 // sessions, transactions and seed included
  std::vector<const DatabaseLevel*> levels;  // session i has the i-th, and so on around; at least one
  bool count_transactions = true;            // stop after workload.transactions
  std::optional<double> seconds;             // stop after so long
  double think_time = 0;                     // seconds between transactions of a client
  double reconnect_seconds = 15;             // how long a client tries when its connection is lost
  Faults faults{};
  std::function<void()> kill_server{};  // how to, where that is wanted
  std::string directory;                // of the journals; must not be there yet
  std::string note{};                   // for the header of the history
  bool record = true;                   // false: to measure what recording costs; then there is no history
};

struct Tally {
  std::uint64_t committed = 0, aborted = 0, unknown = 0;
  double seconds = 0;
  std::uint64_t all() const { return committed + aborted + unknown; }
  Tally& operator+=(const Tally& other) {
    committed += other.committed;
    aborted += other.aborted;
    unknown += other.unknown;
    seconds += other.seconds;
    return *this;
  }
};

// What came of a run. One that began leaves its journals, however it ended.
struct Collected : Tally {
  std::optional<Error> problem{};  // that ended it before its time
};

// `go_on` is asked a few times a second; false ends the run early. An error: nothing was recorded.
Result<Collected> collect(Database& database, const CollectOptions& options,
                          const std::function<bool(const Tally&)>& go_on);

}  // namespace assay
