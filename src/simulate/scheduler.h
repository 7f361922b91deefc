// Runs the sessions concurrently: one step of one session at a time, drawn from a seed.
//
// A step begins a transaction, executes one operation, or ends a transaction, and takes some nanoseconds of a
// simulated clock. So transactions of different sessions overlap as on a real server, and yet a run can be
// repeated. The first operation takes the snapshot, as in PostgreSQL and MariaDB.
//
// A planted violation (inject.h) waits for a random moment. From then on, each session that is between two
// transactions begins a planted one, until all are begun. They then end in consecutive steps.
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
    std::size_t to_begin = 0;  // how many transactions it still has to begin
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
  // Whether a transaction can read its own appends: only if nobody else can append in between.
  bool may_read_own_appends() const;

  const GeneratorOptions& options_;
  Random random_;
  std::unique_ptr<Workload> workload_;
  std::unique_ptr<Store> store_;
  Recorder recorder_;

  std::vector<Session> sessions_;
  std::vector<SessionId> active_;  // sessions that still have something to do
  std::int64_t clock_;
  std::vector<StoreWrite> writes_;        // scratch, of collect_writes()
  std::vector<std::uint64_t> collected_;  // by key: the last collection that had it
  std::uint64_t collection_ = 0;
  std::vector<std::int64_t> seen_;  // scratch: the values of consecutive keys

  std::vector<PlantedTransaction> to_plant_;
  std::size_t planted_count_ = 0;      // planted transactions that wait; 0 after the planting
  std::uint64_t plant_after_ = 0;      // planting begins after so many transactions have ended
  std::vector<SessionId> planted_in_;  // the sessions that run a planted transaction
  std::vector<TxnId> injected_;
};

}  // namespace assay
