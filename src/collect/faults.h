// What a run breaks on purpose. When and where is drawn from the seed of the run, for each client by itself.
//
//     cut-connection   the client hears nothing more: what it sent still arrives, so a commit whose answer is
//     lost
//                      may well have happened
//     pause-client     a client stops for a while in the middle of a transaction
//     delay-commit     a client waits before it sends the commit
//     kill-server      the server is killed (SIGKILL) and started again; only one that we started
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/random.h"
#include "base/result.h"

namespace assay {

struct Faults {
  bool cut_connection = false, pause_client = false, delay_commit = false, kill_server = false;
};

// Names, separated by commas.
Result<Faults> parse_faults(std::string_view names);

// Where the faults of one client's transactions are.
class ClientFaults {
 public:
  ClientFaults(const Faults& faults, std::uint64_t seed) : faults_(faults), random_(seed) {}

  // Draws for a transaction of so many operations.
  void begin(std::size_t operations);
  // Before the operation with this number; the commit has the number after the last.
  bool cuts_before(std::size_t operation) const { return operation == cut_; }
  bool pauses_before(std::size_t operation) const { return operation == pause_ || operation == delay_; }

 private:
  static constexpr std::size_t kNowhere = SIZE_MAX;

  const Faults faults_;
  Random random_;
  std::size_t cut_ = kNowhere, pause_ = kNowhere, delay_ = kNowhere;
};

// Seconds until the server is killed next.
double until_next_kill(Random& random);

}  // namespace assay
