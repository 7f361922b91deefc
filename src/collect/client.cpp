#include "collect/client.h"

#include <fmt/format.h>

#include <thread>

#include "base/hash.h"
#include "collect/journals.h"

namespace assay {
namespace {

constexpr auto kLongestReconnect = std::chrono::seconds(15);
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

bool Client::finished(std::size_t done) const {
  const CollectOptions& o = run_.options;
  return run_.stop.load(std::memory_order_relaxed) || (o.count_transactions && done >= share_) ||
         (o.seconds && static_cast<double>(run_.now()) * 1e-9 >= *o.seconds);
}

Result<void> Client::work() {
  for (std::size_t done = 0; !finished(done); ++done) {
    ASSAY_TRY(transaction());
    if (run_.options.think_time > 0)
      std::this_thread::sleep_for(std::chrono::duration<double>(run_.options.think_time));
  }
  connection_.reset();
  return recorder_.close();
}

Result<void> Client::transaction() {
  recorder_.begin(instant());
  Reply reply = execute(workload_->next_transaction());
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
    reply = operate(*asked);
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

Reply Client::operate(const Asked& asked) {
  if (run_.rows != nullptr) return operate_on_rows(asked);
  Reply reply = Reply::Done;
  if (lists_ && asked.write) {
    if (reply = connection_->append(asked.key, asked.value); reply == Reply::Done)
      recorder_.append(asked.key, asked.value);
  } else if (lists_) {
    elements_.clear();
    if (reply = connection_->read_list(asked.key, elements_); reply == Reply::Done)
      recorder_.read_list(asked.key, elements_);
  } else if (asked.write) {
    if (reply = connection_->write(asked.key, asked.value); reply == Reply::Done)
      recorder_.write(asked.key, asked.value);
  } else {
    std::int64_t& value = asked_.back().value;
    if (reply = connection_->read(asked.key, value); reply == Reply::Done) recorder_.read(asked.key, value);
  }
  return reply;
}

Reply Client::operate_on_rows(const Asked& asked) {
  answer_.met_a_row = false;
  answer_.rows.clear();
  const Reply reply = connection_->ask(asked, answer_);
  if (reply == Reply::Done) recorder_.answered(asked, answer_);
  return reply;
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
  const auto give_up = RunClock::now() + kLongestReconnect;
  while (true) {
    auto connection = run_.database.connect(level_);
    if (connection) {
      connection_ = std::move(*connection);
      return {};
    }
    if (run_.stop) return {};
    if (RunClock::now() >= give_up) return std::move(connection).error();
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
