// What a run breaks on purpose. When and where is drawn from the seed of the run, for each client by itself.
//
//     cut-connection   the client hears nothing more: what it sent still arrives, so a commit whose answer
//                      is lost may well have happened
//     pause-client     a client stops for a while in the middle of a transaction
//     delay-commit     a client waits before it sends the commit
//     kill-server      the server is killed (SIGKILL) and started again; only one that we started
//
// What happened, and when, is remembered for the header of the history; of very many the first ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/result.h"

namespace assay {

struct Faults {
  bool cut_connection = false, pause_client = false, delay_commit = false, kill_server = false;
  bool any() const { return cut_connection || pause_client || delay_commit || kill_server; }
};

// One that happened.
struct FaultEvent {
  std::int64_t instant;  // nanoseconds since the run began
  std::string_view name;
  std::size_t session;  // from 1; 0: it was no client's
};

class FaultLog {
 public:
  void note(const FaultEvent& event);
  void add(const FaultLog& other);
  // {"seed":7,"happened":[[1000,"kill-server"],[2000,"cut-connection",3]],"left_out":0}, by time.
  std::string json(std::uint64_t seed) const;

 private:
  static constexpr std::size_t kMost = 1000;  // of one client

  std::vector<FaultEvent> events_;
  std::uint64_t left_out_ = 0;
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
  // What makes the client wait before it; nothing: it does not.
  std::string_view pauses_before(std::size_t operation) const {
    return operation == pause_ ? "pause-client" : operation == delay_ ? "delay-commit" : "";
  }

 private:
  static constexpr std::size_t kNowhere = SIZE_MAX;

  const Faults faults_;
  Random random_;
  std::size_t cut_ = kNowhere, pause_ = kNowhere, delay_ = kNowhere;
};

// Seconds until the server is killed next.
double until_next_kill(Random& random);

}  // namespace assay
