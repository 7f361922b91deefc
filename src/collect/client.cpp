#include "collect/client.h"

#include <fmt/format.h>

#include <thread>

#include "base/hash.h"
#include "collect/journals.h"

namespace assay {
namespace {

constexpr auto kBetweenAttempts = std::chrono::milliseconds(50);
constexpr auto kPause = std::chrono::milliseconds(20);

std::size_t share(const GeneratorOptions& workload, std::size_t number) {
  return workload.transactions / workload.sessions +
         (number < workload.transactions % workload.sessions ? 1 : 0);
}

}  // namespace

Client::Client(Run& run, std::size_t number, std::optional<JournalFile> journal)
    : run_(run),
      number_(number),
      level_(*run.options.levels[number % run.options.levels.size()]),
      share_(share(run.options.workload, number)),
      lists_(run.options.workload.data == DataKind::Lists),
      workload_(make_workload(run.options.workload, mix(run.options.workload.seed, number + 16),
                              {number, run.options.workload.sessions})),
      faults_(run.options.faults, mix(~run.options.workload.seed, number)),
      recorder_(std::move(journal), *workload_, run.rows) {}

Result<std::unique_ptr<Client>> Client::create(Run& run, std::size_t number) {
  std::optional<JournalFile> journal;
  if (run.options.record) {
    auto created = create_journal(run.options.directory, number + 1);
    if (!created) return std::move(created).error();
    journal = std::move(*created);
  }
  auto client = std::make_unique<Client>(run, number, std::move(journal));
  auto connection = run.database.connect(client->level_);
  if (!connection) return std::move(connection).error();
  client->connection_ = std::move(*connection);
  return client;
}

bool Client::is_over() const {
  const CollectOptions& o = run_.options;
  return run_.stop.load(std::memory_order_relaxed) ||
         (o.seconds && static_cast<double>(run_.now()) * 1e-9 >= *o.seconds);
}

// What was recorded counts, whatever ended the work.
Result<void> Client::work() {
  Result<void> done = transactions();
  connection_.reset();
  auto closed = recorder_.close();
  if (!done) return done;
  return closed;
}

Result<void> Client::transactions() {
  for (std::size_t done = 0; !is_over() && !(run_.options.count_transactions && done >= share_); ++done) {
    ASSAY_TRY(transaction());
    if (run_.options.think_time > 0)
      std::this_thread::sleep_for(std::chrono::duration<double>(run_.options.think_time));
  }
  return {};
}

Result<void> Client::transaction() {
  recorder_.begin(instant());
  Reply reply = execute(workload_->next_transaction());
  if (reply == Reply::Alone) return transaction_that_ended_unnoticed();
  if (reply == Reply::Done) {
    ASSAY_TRY(recorder_.committing(instant()));
    disturb(asked_.size());
    reply = connection_->commit();
  }
  const Outcome outcome = reply == Reply::Done      ? Outcome::Committed
                          : reply == Reply::Aborted ? Outcome::Aborted
                                                    : Outcome::Unknown;
  ASSAY_TRY(recorder_.end(outcome, instant()));
  count(outcome);
  return recover(reply);
}

// Begins and runs every operation, or up to the first that fails.
Reply Client::execute(const Workload::Plan& plan) {
  asked_.clear();
  faults_.begin(plan.operations);
  Reply reply = connection_->begin();
  while (reply == Reply::Done && asked_.size() < plan.operations) {
    const auto asked = workload_->next_operation(plan, asked_);
    if (!asked) break;
    disturb(asked_.size());
    asked_.push_back(*asked);
    if (reply = operate(asked_.back()); reply == Reply::Done) note(asked_.back());
    if (asked_.size() == 1) recorder_.began(instant());
  }
  return reply;
}

void Client::disturb(std::size_t operation) {
  if (const std::string_view pause = faults_.pauses_before(operation); !pause.empty()) {
    fault_log_.note({run_.now(), pause, number_ + 1});
    std::this_thread::sleep_for(kPause);
  }
  if (faults_.cuts_before(operation) && connection_->cut())
    fault_log_.note({run_.now(), "cut-connection", number_ + 1});
}

// Fills in what the database answered.
Reply Client::operate(Asked& asked) {
  if (run_.rows != nullptr) {
    answer_.met_a_row = false;
    answer_.rows.clear();
    return connection_->ask(asked, answer_);
  }
  if (lists_ && asked.write) return connection_->append(asked.key, asked.value);
  if (asked.write) return connection_->write(asked.key, asked.value);
  if (!lists_) return connection_->read(asked.key, asked.value);
  elements_.clear();
  return connection_->read_list(asked.key, elements_);
}

void Client::note(const Asked& asked) {
  if (run_.rows != nullptr) recorder_.answered(asked, answer_);
  else if (lists_ && asked.write) recorder_.append(asked.key, asked.value);
  else if (lists_) recorder_.read_list(asked.key, elements_);
  else if (asked.write) recorder_.write(asked.key, asked.value);
  else recorder_.read(asked.key, asked.value);
}

// The operation that showed it was a transaction of its own. What became of those before it nobody said.
Result<void> Client::transaction_that_ended_unnoticed() {
  const std::int64_t began = recorder_.begin_instant();
  ASSAY_TRY(recorder_.end(Outcome::Unknown, instant()));
  count(Outcome::Unknown);
  recorder_.begin(began);
  note(asked_.back());
  recorder_.began(instant());
  ASSAY_TRY(recorder_.committing(instant()));
  ASSAY_TRY(recorder_.end(Outcome::Committed, instant()));
  count(Outcome::Committed);
  return broken();
}

// Makes the connection ready for the next transaction.
Result<void> Client::recover(Reply reply) {
  if (reply == Reply::Aborted) reply = connection_->rollback();
  if (reply == Reply::Broken) return broken();
  if (reply == Reply::Done) return {};
  return reconnect();
}

Result<void> Client::reconnect() {
  connection_.reset();
  const std::int64_t lost_at = run_.now();
  while (true) {
    auto connection = run_.database.connect(level_);
    if (connection) {
      connection_ = std::move(*connection);
      return {};
    }
    if (is_over()) return {};
    const double seconds = static_cast<double>(run_.now() - lost_at) * 1e-9;
    if (seconds >= run_.options.reconnect_seconds)
      return error(fmt::format("no connection for {:.0f} s: {}", seconds, connection.error().what),
                   "--reconnect SECONDS says how long to try");
    std::this_thread::sleep_for(kBetweenAttempts);
  }
}

Error Client::broken() const {
  return error(fmt::format("{}: {}", run_.database.version(), connection_->problem()));
}

// Only this thread writes, so it needs no locked instruction.
void Client::count(Outcome outcome) {
  auto& counter = counts_[static_cast<std::size_t>(outcome)];
  counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void Client::add_to(Tally& tally) const {
  const auto of = [&](Outcome outcome) {
    return counts_[static_cast<std::size_t>(outcome)].load(std::memory_order_relaxed);
  };
  tally.committed += of(Outcome::Committed);
  tally.aborted += of(Outcome::Aborted);
  tally.unknown += of(Outcome::Unknown);
}

}  // namespace assay
