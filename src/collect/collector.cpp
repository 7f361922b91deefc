#include "collect/collector.h"

#include <fmt/format.h>

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "collect/client.h"
#include "history_io/byte_sink.h"
#include "history_io/journal.h"

namespace assay {
namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(100);

Result<void> write_header(const CollectOptions& options) {
  std::error_code problem;
  if (!std::filesystem::create_directory(options.directory, problem)) {
    Error taken = error(problem ? "cannot make the directory of the journals: " + problem.message()
                                : "there is something where the journals should go",
                        problem ? "" : "the journals of a run that was killed? check or remove them");
    taken.file = options.directory;
    return taken;
  }
  auto sink = ByteSink::create(options.directory + "/" + std::string(kJournalHeader));
  if (!sink) return std::move(sink).error();
  std::string header = "{\"assay\":1";
  if (options.workload.data == DataKind::Registers) header += ",\"initial\":0";
  header += ",\"note\":";
  print_json_string(options.note, header);
  sink->write(header + "}\n");
  return sink->close();
}

// Runs the clients to their ends. The lock is taken when a client ends and when somebody looks.
class Crew {
 public:
  Crew(Run& run, std::vector<std::unique_ptr<Client>> clients) : run_(run), clients_(std::move(clients)) {}

  Result<Tally> work(const std::function<bool(const Tally&)>& go_on) {
    run_.start = RunClock::now();
    std::vector<std::jthread> threads;
    working_ = clients_.size();
    for (const auto& client : clients_) threads.emplace_back([this, &client] { report(client->work()); });
    std::unique_lock guard(lock_);
    while (!ended_.wait_for(guard, kBetweenLooks, [this] { return working_ == 0; }))
      if (!go_on(tally())) run_.stop = true;
    if (problem_) return *problem_;
    return tally();
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
};

}  // namespace

Result<Tally> collect(Database& database, const CollectOptions& options,
                      const std::function<bool(const Tally&)>& go_on) {
  ASSAY_REQUIRE(!options.levels.empty());
  ASSAY_TRY(check_workload(options.workload));
  ASSAY_TRY(write_header(options));
  const std::size_t keys = make_workload(options.workload, 0)->initial_keys();
  ASSAY_TRY(database.prepare(options.workload.data, keys));
  Run run{.database = database, .options = options};
  std::vector<std::unique_ptr<Client>> clients;
  for (std::size_t number = 0; number < options.workload.sessions; ++number) {
    auto client = Client::create(run, number);
    if (!client) return std::move(client).error();
    clients.push_back(std::move(*client));
  }
  return Crew(run, std::move(clients)).work(go_on);
}

}  // namespace assay
