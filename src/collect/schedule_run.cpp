#include "collect/schedule_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "collect/client_recorder.h"
#include "collect/journals.h"
#include "simulate/row_table.h"

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kBlocked = std::chrono::milliseconds(150);

// Rows go by their numbers.
class ScheduleKeys final : public KeyNames {
 public:
  explicit ScheduleKeys(const Schedule& schedule) : schedule_(schedule) {}
  std::string name(StoreKey key) const override {
    return schedule_.rows ? std::string() : schedule_.keys[key.index()];
  }

 private:
  const Schedule& schedule_;
};

struct Sent {
  ScheduleStep step;
  std::int64_t value;  // for a write
};

std::shared_ptr<const TableLayout> layout_of(const Schedule& schedule) {
  if (!schedule.rows) return std::make_shared<OneTable>(schedule.keys.size());
  std::vector<std::int64_t> rows;
  for (std::size_t key = 0; key < schedule.keys.size(); ++key) {
    const auto number = static_cast<std::size_t>(schedule.number(key));
    rows.resize(std::max(rows.size(), number + 1), kNoRow);
    if (std::ranges::find(schedule.initial, schedule.keys[key]) != schedule.initial.end())
      rows[number] = two_columns(0, 0);
  }
  return std::make_shared<RowTable>(true, std::move(rows));
}

// What a step asks of a table of rows.
Asked asked_of_rows(const Schedule& schedule, const Sent& sent) {
  using enum ScheduleStep::Kind;
  const ScheduleStep& step = sent.step;
  const auto own = static_cast<std::uint32_t>(sent.value);
  const auto key = [&] { return StoreKey(static_cast<std::size_t>(schedule.number(step.key))); };
  const ScheduleRange& range = step.range;
  const RowFilter filter{range.column == ScheduleRange::Column::V ? RowColumn::V1 : RowColumn::V2, range.low,
                         range.high};
  switch (step.kind) {
    case Write: return {.write = true, .key = key(), .value = two_columns(own, own)};
    case Insert:
      return {.write = true, .key = key(), .value = two_columns(0, own), .action = RowAction::Insert};
    case Delete: return {.write = true, .key = key(), .action = RowAction::Delete};
    case Update:
      return {.write = true, .key = {}, .value = sent.value, .action = RowAction::Update, .filter = filter};
    case Select:
      if (range.column != ScheduleRange::Column::K)
        return {.key = {}, .action = RowAction::Select, .filter = filter};
      return {.key = StoreKey(static_cast<std::size_t>(range.low)),
              .action = RowAction::Scan,
              .last = StoreKey(static_cast<std::size_t>(range.high))};
    default: return {.key = key()};
  }
}

// One transaction of a schedule.
class Actor {
 public:
  Actor(const Schedule& schedule, std::unique_ptr<Connection> connection, ClientRecorder recorder,
        Clock::time_point start)
      : schedule_(schedule),
        connection_(std::move(connection)),
        recorder_(std::move(recorder)),
        start_(start) {}

  void send(Sent sent) {
    const std::lock_guard guard(lock_);
    queue_.push_back(sent);
    if (!thread_.joinable()) thread_ = std::jthread([this] { act(); });
    changed_.notify_all();
  }

  // Until all that it was sent has returned, or the time has come.
  void settle(Clock::time_point latest) {
    std::unique_lock guard(lock_);
    changed_.wait_until(guard, latest, [this] { return queue_.empty(); });
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
    if (reply == Reply::Done) switch (sent.step.kind) {
        case ScheduleStep::Kind::Commit:
          note(recorder_.committing(now()));
          if (reply = connection_->commit(); reply == Reply::Done) return end(Outcome::Committed, reply);
          break;
        case ScheduleStep::Kind::Abort: return end(Outcome::Aborted, connection_->rollback());
        default: reply = schedule_.rows ? operate_on_rows(sent) : operate(sent);
      }
    if (!std::exchange(begun_, true)) recorder_.began(now());
    if (reply == Reply::Done) return;
    end(reply == Reply::Aborted ? Outcome::Aborted : Outcome::Unknown,
        reply == Reply::Aborted ? connection_->rollback() : reply);
  }

  Reply operate(const Sent& sent) {
    const StoreKey key(sent.step.key);
    std::int64_t value = sent.value;
    if (sent.step.kind == ScheduleStep::Kind::Write) {
      const Reply reply = connection_->write(key, value);
      if (reply == Reply::Done) recorder_.write(key, value);
      return reply;
    }
    const Reply reply = connection_->read(key, value);
    if (reply == Reply::Done) recorder_.read(key, value);
    return reply;
  }

  Reply operate_on_rows(const Sent& sent) {
    const Asked asked = asked_of_rows(schedule_, sent);
    RowAnswer answer;
    const Reply reply = connection_->ask(asked, answer);
    if (reply == Reply::Done) recorder_.answered(asked, answer);
    return reply;
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

  const Schedule& schedule_;
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
  const auto layout = layout_of(schedule);
  ASSAY_TRY(create_journals(directory, {.rows = layout->rows(), .note = note}));
  ASSAY_TRY(database.prepare(DataKind::Registers, layout));
  const ScheduleKeys names(schedule);
  const auto start = Clock::now();
  std::vector<std::unique_ptr<Actor>> actors;
  for (std::size_t i = 0; i < schedule.clients; ++i) {
    auto connection = database.connect(*levels[i % levels.size()]);
    if (!connection) return std::move(connection).error();
    auto journal = create_journal(directory, i + 1);
    if (!journal) return std::move(journal).error();
    actors.push_back(std::make_unique<Actor>(
        schedule, std::move(*connection), ClientRecorder(std::move(*journal), names, layout->rows()), start));
  }
  std::int64_t value = 0;
  // A step may unblock others: the next one is sent when these have returned, too.
  for (const ScheduleStep& step : schedule.steps) {
    actors[step.client]->send({step, ++value});
    const auto latest = Clock::now() + kBlocked;
    actors[step.client]->settle(latest);
    for (const auto& actor : actors) actor->settle(latest);
  }
  Result<void> result;
  for (const auto& actor : actors)
    if (auto done = actor->finish(); !done && result) result = std::move(done);
  return result;
}

}  // namespace assay
