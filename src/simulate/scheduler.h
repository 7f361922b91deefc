// Runs the sessions concurrently: one step of one session at a time, drawn by a seed.
//
// A step begins a transaction, executes one operation, or ends it, and takes some nanoseconds of a simulated
// clock. So transactions of different sessions overlap as they would on a real server, while the run
// can be repeated. The snapshot is taken by the first operation, as PostgreSQL and MariaDB do.
//
// A planted violation (inject.h) waits for a random moment. From then on, sessions that are between two
// transactions begin a planted one, until there is one for each; these then end in consecutive steps.
#pragma once

#include "simulate/inject.h"
#include "simulate/recorder.h"
#include "simulate/store.h"
#include "simulate/workload.h"

namespace assay {

class Scheduler {
 public:
  explicit Scheduler(const GeneratorOptions& options);
  Result<Generated> run() &&;

 private:
  enum class Fate : std::uint8_t { Commit, GiveUp, LoseTheAnswer };

  struct Session {
    std::size_t to_begin = 0;  // transactions left
    bool running = false;
    Fate fate = Fate::Commit;
    Workload::Plan plan;
    std::vector<Asked> asked;
    bool hurries() const { return running && plan.freshness != Freshness::Any && !asked.empty(); }
    RecordedTransaction transaction;
    std::int64_t clock_offset = 0;
  };

  Result<void> step(std::size_t place);
  void begin(Session& session);
  void operate(SessionId id);
  void read(SessionId id, StoreKey key);
  void read_list(SessionId id, StoreKey key);
  void operate_on_rows(SessionId id, const Asked& asked);
  void look_at_rows(SessionId id, StoreKey first, StoreKey last);
  void find_rows(SessionId id, const Asked& asked);
  Result<void> end(SessionId id);
  void collect_writes(const RecordedTransaction& t);
  bool try_to_commit(SessionId id);
  void retire(std::size_t place);

  bool planting() const { return planted_count_ != 0 && recorder_.recorded() >= plant_after_; }
  void begin_planted(std::size_t place);
  Result<void> end_planted();
  RecordedTransaction planted_transaction(const PlantedTransaction& script,
                                          std::span<const StoreKey> keys) const;

  void pass_time();
  std::int64_t clock(const Session& session) const { return clock_ + session.clock_offset; }
  // Whether a transaction that read its own append can be sure that nobody came in between.
  bool may_read_own_appends() const;

  const GeneratorOptions& options_;
  Random random_;
  std::unique_ptr<Workload> workload_;
  std::unique_ptr<Store> store_;
  Recorder recorder_;

  std::vector<Session> sessions_;
  std::vector<SessionId> active_;  // that have something to do
  std::int64_t clock_;
  std::vector<StoreWrite> writes_;        // scratch, of collect_writes()
  std::vector<std::uint64_t> collected_;  // by key: when it was collected last
  std::uint64_t collection_ = 0;
  std::vector<std::int64_t> seen_;  // scratch: of consecutive keys

  std::vector<PlantedTransaction> to_plant_;
  std::size_t planted_count_ = 0;      // that wait to be planted
  std::uint64_t plant_after_ = 0;      // so many transactions have ended
  std::vector<SessionId> planted_in_;  // sessions that run a planted one
  std::vector<TxnId> injected_;
};

}  // namespace assay
