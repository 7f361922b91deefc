// What recording costs, and how the collector compares with pgbench.
//
//     bench_recording sqlite: [SECONDS [SESSIONS [ROUNDS]]]     with and without recording, in turn
//     bench_recording postgres [SECONDS [SESSIONS [ROUNDS]]]    the same on a server of its own, and pgbench
//
// Transactions are four reads and four updates, on average, of 10,000 keys. Rates are transactions per
// second. Runs that follow each other are compared, and the median of these ratios counts, because other work
// on the machine comes and goes. SQLite is a file: with TMPDIR=/dev/shm it is in memory.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "collect/collector.h"
#include "collect/server.h"
#include "collect/temporary_directory.h"

namespace assay {
namespace {

constexpr std::size_t kKeys = 10000;

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

struct Rates {
  std::vector<double> all{};
  std::vector<double> microseconds{};  // of processor time, for a transaction

  void print(std::string_view what) const {
    fmt::print("{:<20} {:.0f}/s", what, median(all));
    if (!microseconds.empty()) fmt::print(", {:.2f} us of processor time", median(microseconds));
    fmt::print("\n");
  }
  double compared_with(const Rates& other) const {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < all.size(); ++i) ratios.push_back(all[i] / other.all[i]);
    return median(ratios);
  }
};

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

void measure(Database& database, CollectOptions options, bool record, Rates& rates) {
  options.record = record;
  const double before = processor_seconds();
  const auto tally = collect(database, options, [](const Tally&) { return true; });
  std::filesystem::remove_all(options.directory);
  if (!tally) {
    fmt::print(stderr, "{}\n", tally.error().describe());
    std::exit(2);
  }
  rates.all.push_back(static_cast<double>(tally->all()) / tally->seconds);
  rates.microseconds.push_back(1e6 * (processor_seconds() - before) / static_cast<double>(tally->all()));
}

// The same statements, sent by pgbench.
class Pgbench {
 public:
  Pgbench(std::string connection, const std::string& directory, double seconds, std::size_t sessions)
      : connection_(std::move(connection)),
        command_(fmt::format(
            "pgbench -n -M prepared -c {} -j {} -T {:.0f} --max-tries=10 -f {}/script '{}' 2>/dev/null",
            sessions, sessions, seconds, directory, connection_)) {
    std::ofstream script(directory + "/script");
    for (int i = 0; i < 8; ++i) script << fmt::format("\\set k{} random(0, {})\n", i, kKeys - 1);
    script << "\\set v random(1, 1000000000)\nBEGIN;\n";
    for (int i = 0; i < 8; ++i)
      script << (i % 2 == 0 ? "SELECT v FROM bench" : "UPDATE bench SET v = :v") << " WHERE k = :k" << i
             << ";\n";
    script << "COMMIT;\n";
  }

  bool prepare() const {
    return std::system(
               fmt::format(
                   "psql -q '{}' -c 'CREATE TABLE bench (k int8 PRIMARY KEY, v int8 NOT NULL)' -c "
                   "'INSERT INTO bench SELECT i, 0 FROM generate_series(0, {}) i' -c 'VACUUM ANALYZE bench'",
                   connection_, kKeys - 1)
                   .c_str()) == 0;
  }
  double rate() const {
    std::FILE* out = popen(command_.c_str(), "r");
    char line[256];
    double tps = 0;
    while (std::fgets(line, sizeof line, out) != nullptr) std::sscanf(line, "tps = %lf", &tps);
    pclose(out);
    return tps;
  }

 private:
  const std::string connection_, command_;
};

int run(const std::string& what, double seconds, std::size_t sessions, int rounds) {
  const auto place = TemporaryDirectory::create();
  std::optional<Server> server;
  if (what == "postgres" || what == "mariadb") {
    auto started = Server::start(what);
    if (!started) return fmt::print(stderr, "{}\n", started.error().describe()), 2;
    server.emplace(std::move(*started));
  }
  const auto url = parse_url(server ? server->url() : what);
  if (!url) return fmt::print(stderr, "{}\n", url.error().describe()), 2;
  const auto database = open_database(*url, {.sessions = sessions, .operations = 8});
  if (!database) return fmt::print(stderr, "{}\n", database.error().describe()), 2;
  CollectOptions options;
  options.workload.sessions = sessions;
  options.workload.keys = kKeys;
  options.levels = {&(*database)->levels().front()};
  options.count_transactions = false;
  options.seconds = seconds;
  options.directory = place->path() + "/journals";

  std::optional<Pgbench> pgbench;
  if (what == "postgres") {
    pgbench.emplace(fmt::format("host={} user=assay dbname=postgres", url->option("host")), place->path(),
                    seconds, sessions);
    if (!pgbench->prepare()) return 2;
  }
  Rates recorded, unrecorded, of_pgbench;
  for (int round = 0; round < rounds; ++round) {
    measure(**database, options, true, recorded);
    measure(**database, options, false, unrecorded);
    if (pgbench) of_pgbench.all.push_back(pgbench->rate());
  }
  fmt::print("{}, {} clients, {} times {} s\n", (*database)->version(), sessions, rounds, seconds);
  recorded.print("recording");
  unrecorded.print("not recording");
  if (pgbench) of_pgbench.print("pgbench -M prepared");
  fmt::print("recording / not recording {:.3f}", recorded.compared_with(unrecorded));
  if (pgbench) fmt::print(", recording / pgbench {:.3f}", recorded.compared_with(of_pgbench));
  fmt::print("\n");
  return 0;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "bench_recording sqlite:|postgres|mariadb|URL [SECONDS [SESSIONS [ROUNDS]]]\n");
    return 2;
  }
  const auto number = [&](int place, int otherwise) {
    return argc > place ? std::atoi(argv[place]) : otherwise;
  };
  return assay::run(argv[1], argc > 2 ? std::atof(argv[2]) : 2, static_cast<std::size_t>(number(3, 20)),
                    number(4, 9));
}
