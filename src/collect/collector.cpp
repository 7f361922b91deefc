#include "collect/collector.h"

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "base/hash.h"
#include "collect/client.h"
#include "collect/journals.h"

namespace assay {
namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(100);

// Runs the clients to their ends. The lock is taken when a client ends and when somebody looks.
class Crew {
 public:
  Crew(Run& run, std::vector<std::unique_ptr<Client>> clients) : run_(run), clients_(std::move(clients)) {}

  Result<Collected> work(const std::function<bool(const Tally&)>& go_on) {
    run_.start = RunClock::now();
    std::vector<std::jthread> threads;
    working_ = clients_.size();
    for (const auto& client : clients_) threads.emplace_back([this, &client] { report(client->work()); });
    std::unique_lock guard(lock_);
    while (!ended_.wait_for(guard, kBetweenLooks, [this] { return working_ == 0; })) {
      kill_server_when_due();
      if (!go_on(tally())) run_.stop = true;
    }
    if (auto written = write_header(); !written && !problem_) problem_ = std::move(written).error();
    return Collected{tally(), problem_};
  }

 private:
  void report(Result<void> done) {
    const std::lock_guard guard(lock_);
    if (!done) {
      run_.stop = true;
      if (!problem_) problem_ = std::move(done).error();
    }
    if (--working_ == 0) ended_.notify_all();
  }

  void kill_server_when_due() {
    const double now = static_cast<double>(run_.now()) * 1e-9;
    if (!run_.options.faults.kill_server || now < next_kill_) return;
    fault_log_.note({run_.now(), "kill-server", 0});
    run_.options.kill_server();
    next_kill_ = now + until_next_kill(kills_);
  }

  // Again, now that it is known which faults there were.
  Result<void> write_header() {
    const CollectOptions& o = run_.options;
    if (!o.faults.any()) return {};
    for (const auto& client : clients_) fault_log_.add(client->fault_log());
    return write_journal_header(o.directory, {.data = o.workload.data,
                                              .rows = run_.rows,
                                              .note = o.note,
                                              .faults = fault_log_.json(o.workload.seed)});
  }

  Tally tally() const {
    Tally sum{.seconds = static_cast<double>(run_.now()) * 1e-9};
    for (const auto& client : clients_) client->add_to(sum);
    return sum;
  }

  Run& run_;
  std::vector<std::unique_ptr<Client>> clients_;
  std::mutex lock_;
  std::condition_variable ended_;
  std::size_t working_ = 0;
  std::optional<Error> problem_;

  Random kills_{mix(run_.options.workload.seed, 1)};
  double next_kill_ = until_next_kill(kills_);  // seconds since the run began
  FaultLog fault_log_;
};

Result<std::vector<std::unique_ptr<Client>>> create_clients(Run& run) {
  std::vector<std::unique_ptr<Client>> clients;
  for (std::size_t number = 0; number < run.options.workload.sessions; ++number) {
    auto client = Client::create(run, number);
    if (!client) return std::move(client).error();
    clients.push_back(std::move(*client));
  }
  return clients;
}

}  // namespace

Result<Collected> collect(Database& database, const CollectOptions& options,
                          const std::function<bool(const Tally&)>& go_on) {
  ASSAY_REQUIRE(!options.levels.empty());
  ASSAY_TRY(check_workload(options.workload));
  const auto layout = make_workload(options.workload, 0)->layout();
  ASSAY_TRY(database.prepare(options.workload.data, layout));
  Run run{.database = database, .options = options, .rows = layout->rows()};
  ASSAY_TRY(create_journals(options.directory,
                            {.data = options.workload.data, .rows = run.rows, .note = options.note}));
  auto clients = create_clients(run);
  if (!clients) {  // nothing happened: journals would only be in the way of the next run
    std::error_code ignored;
    std::filesystem::remove_all(options.directory, ignored);
    return std::move(clients).error();
  }
  return Crew(run, std::move(*clients)).work(go_on);
}

}  // namespace assay
