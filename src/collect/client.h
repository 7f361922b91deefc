// One client: begins transactions of its workload, runs them, records them, until it has done its share.
//
// A transaction that failed is not tried again; the next one is another. After a lost connection the
// client opens a new one and goes on in the same session.
#pragma once

#include <atomic>
#include <chrono>

#include "collect/client_recorder.h"
#include "collect/collector.h"

namespace assay {

using RunClock = std::chrono::steady_clock;

// What the clients of a run have in common.
struct Run {
  Database& database;
  const CollectOptions& options;
  const RowTable* rows = nullptr;  // where keys are rows
  RunClock::time_point start{};
  std::atomic<bool> stop = false;

  std::int64_t now() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(RunClock::now() - start).count();
  }
};

class Client {
 public:
  // Opens the connection and the journal.
  static Result<std::unique_ptr<Client>> create(Run& run, std::size_t number);

  Client(Run& run, std::size_t number, std::optional<JournalFile> journal);
  Result<void> work();
  // May be asked while the client works.
  void add_to(Tally& tally) const;
  const FaultLog& fault_log() const { return fault_log_; }  // when it has ended

 private:
  bool is_over() const;  // the run
  Result<void> transactions();
  std::int64_t instant() const { return run_.options.record ? run_.now() : 0; }
  Result<void> transaction();
  Reply operate(Asked& asked);
  void note(const Asked& asked);
  Result<void> transaction_that_ended_unnoticed();
  void disturb(std::size_t operation);
  Reply execute(const Workload::Plan& plan);
  Result<void> recover(Reply reply);
  Result<void> reconnect();
  void count(Outcome outcome);
  Error broken() const;

  Run& run_;
  const std::size_t number_;
  const DatabaseLevel& level_;
  const std::size_t share_;  // transactions
  const bool lists_;
  std::unique_ptr<Workload> workload_;
  ClientFaults faults_;
  FaultLog fault_log_;
  ClientRecorder recorder_;
  std::unique_ptr<Connection> connection_;
  std::vector<Asked> asked_;                               // of the transaction that runs
  std::vector<std::int64_t> elements_;                     // that the last operation read
  RowAnswer answer_;                                       // to the last operation
  alignas(64) std::atomic<std::uint64_t> counts_[3] = {};  // by Outcome; alone on their cache line
};

}  // namespace assay
