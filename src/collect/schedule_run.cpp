#include "collect/schedule_run.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "collect/client_recorder.h"
#include "collect/journals.h"

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kBlocked = std::chrono::milliseconds(150);

class ScheduleKeys final : public KeyNames {
 public:
  explicit ScheduleKeys(const Schedule& schedule) : schedule_(schedule) {}
  std::string name(StoreKey key) const override { return schedule_.keys[key.index()]; }

 private:
  const Schedule& schedule_;
};

struct Sent {
  ScheduleStep step;
  std::int64_t value;  // for a write
};

// One transaction of a schedule.
class Actor {
 public:
  Actor(std::unique_ptr<Connection> connection, ClientRecorder recorder, Clock::time_point start)
      : connection_(std::move(connection)), recorder_(std::move(recorder)), start_(start) {}

  // Takes the step, and waits a little for it.
  void send(Sent sent) {
    std::unique_lock guard(lock_);
    queue_.push_back(sent);
    if (!thread_.joinable()) thread_ = std::jthread([this] { act(); });
    changed_.notify_all();
    changed_.wait_for(guard, kBlocked, [this] { return queue_.empty(); });
  }

  // Nothing more will be sent. Returns when the transaction is over.
  Result<void> finish() {
    {
      const std::lock_guard guard(lock_);
      closed_ = true;
      changed_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
    if (problem_) return *problem_;
    return recorder_.close();
  }

 private:
  void act() {
    recorder_.begin(now());
    Reply reply = connection_->begin();
    std::unique_lock guard(lock_);
    while (true) {
      changed_.wait(guard, [this] { return !queue_.empty() || closed_; });
      if (queue_.empty()) break;
      const Sent sent = queue_.front();
      guard.unlock();
      if (!over_) step(sent, reply);
      guard.lock();
      queue_.pop_front();
      changed_.notify_all();
    }
    guard.unlock();
    if (!over_) end(Outcome::Aborted, connection_->rollback());  // a schedule without C or A
  }

  void step(const Sent& sent, Reply& reply) {
    const StoreKey key(sent.step.key);
    std::int64_t value = sent.value;
    if (reply == Reply::Done) switch (sent.step.kind) {
        case ScheduleStep::Kind::Read:
          if (reply = connection_->read(key, value); reply == Reply::Done) recorder_.read(key, value);
          break;
        case ScheduleStep::Kind::Write:
          if (reply = connection_->write(key, value); reply == Reply::Done) recorder_.write(key, value);
          break;
        case ScheduleStep::Kind::Commit:
          note(recorder_.committing(now()));
          if (reply = connection_->commit(); reply == Reply::Done) return end(Outcome::Committed, reply);
          break;
        case ScheduleStep::Kind::Abort: return end(Outcome::Aborted, connection_->rollback());
      }
    if (!std::exchange(begun_, true)) recorder_.began(now());
    if (reply == Reply::Done) return;
    end(reply == Reply::Aborted ? Outcome::Aborted : Outcome::Unknown,
        reply == Reply::Aborted ? connection_->rollback() : reply);
  }

  void end(Outcome outcome, Reply reply) {
    note(recorder_.end(outcome, now()));
    if (reply == Reply::Broken) note(error(connection_->problem()));
    over_ = true;
  }

  void note(Result<void> done) {
    if (!done && !problem_) problem_ = std::move(done).error();
  }

  std::int64_t now() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count();
  }

  std::unique_ptr<Connection> connection_;
  ClientRecorder recorder_;
  const Clock::time_point start_;
  bool begun_ = false, over_ = false;
  std::optional<Error> problem_;

  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<Sent> queue_;  // the first is being done
  bool closed_ = false;
  std::jthread thread_;
};

}  // namespace

Result<void> run_schedule(Database& database, const Schedule& schedule,
                          std::span<const DatabaseLevel* const> levels, const std::string& directory,
                          const std::string& note) {
  ASSAY_TRY(create_journals(directory, {.note = note}));
  ASSAY_TRY(database.prepare(DataKind::Registers, schedule.keys.size()));
  const ScheduleKeys names(schedule);
  const auto start = Clock::now();
  std::vector<std::unique_ptr<Actor>> actors;
  for (std::size_t i = 0; i < schedule.clients; ++i) {
    auto connection = database.connect(*levels[i % levels.size()]);
    if (!connection) return std::move(connection).error();
    auto journal = create_journal(directory, i + 1);
    if (!journal) return std::move(journal).error();
    actors.push_back(
        std::make_unique<Actor>(std::move(*connection), ClientRecorder(std::move(*journal), names), start));
  }
  std::int64_t value = 0;
  for (const ScheduleStep& step : schedule.steps) actors[step.client]->send({step, ++value});
  Result<void> result;
  for (const auto& actor : actors)
    if (auto done = actor->finish(); !done && result) result = std::move(done);
  return result;
}

}  // namespace assay
