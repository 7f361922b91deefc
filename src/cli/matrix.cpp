// `assay matrix`: which levels every database that is there really keeps, at each of its own levels.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <random>

#include "cli/interrupt.h"
#include "cli/matrix_row.h"
#include "cli/outputs.h"
#include "collect/server.h"
#include "collect/server_kinds.h"
#include "collect/temporary_directory.h"

namespace assay::cli {
namespace {

struct MatrixArguments {
  std::vector<std::string> databases;  // URLs; none: all that are there
  std::string report, command;
  double seconds = HuntOptions{}.seconds;  // for each configuration
  std::optional<std::uint64_t> seed;
  bool json = false, quiet = false;
};

class MatrixRunner {
 public:
  explicit MatrixRunner(const MatrixArguments& arguments) : o_(arguments) {}

  Result<Matrix> run() {
    watch_interrupts();
    auto place = TemporaryDirectory::create();
    if (!place) return std::move(place).error();
    std::random_device device;
    options_ = {o_.seconds, o_.seed ? *o_.seed : std::uint64_t{device()}, place->path()};
    for (const std::string& url : o_.databases) ASSAY_TRY(add_database(url, ""));
    if (!o_.databases.empty()) return std::move(matrix_);
    ASSAY_TRY(add_database("sqlite:", ""));
    ASSAY_TRY(add_database("sqlite:?journal=delete", ", rollback journal"));
    for (const ServerKind& kind : server_kinds()) ASSAY_TRY(add_server(kind));
    return std::move(matrix_);
  }

 private:
  // One that is not installed leaves a gap and is no error.
  Result<void> add_server(const ServerKind& kind) {
    const auto server = Server::start(kind.name);
    if (server) return add_database(server->url(), "");
    matrix_.missing.push_back(server.error().describe());
    warn(server.error().describe());
    return {};
  }

  Result<void> add_database(const std::string& address, const std::string& in_which_way) {
    auto url = parse_url(address);
    if (!url) return std::move(url).error();
    auto database = open_database(*url, hunting_options(options_.seed));
    if (!database) return std::move(database).error();
    for (const DatabaseLevel& level : (*database)->levels()) {
      MatrixRow row{.database = (*database)->version() + in_which_way,
                    .isolation = std::string(level.name),
                    .claims = level.claims};
      show_progress(fmt::format("{}, {}", row.database, row.isolation));
      auto hunted = hunt(**database, level, std::move(row), options_);
      show_progress("");
      if (!hunted) return std::move(hunted).error();
      std::ranges::move(*hunted, std::back_inserter(matrix_.rows));
    }
    return {};
  }

  const MatrixArguments& o_;
  HuntOptions options_;
  Matrix matrix_;
};

Exit run(const MatrixArguments& o) {
  const auto matrix = MatrixRunner(o).run();
  if (!matrix) {
    fail(matrix.error());
    return was_interrupted() ? Exit::Undecided : Exit::Bad;
  }
  print(o.json ? as_json(*matrix) + "\n" : as_text(*matrix, !o.quiet));
  if (o.report.empty()) return Exit::Holds;
  const auto written = write_text(o.report, as_html(*matrix, {ASSAY_VERSION, o.command}));
  return written ? Exit::Holds : fail(written.error());
}

}  // namespace

void add_matrix(CLI::App& app, Exit& exit, const std::string& command_line) {
  auto o = std::make_shared<MatrixArguments>();
  o->command = command_line;
  CLI::App* command = app.add_subcommand("matrix", "Which levels each available database really keeps");
  command->add_option("--db", o->databases,
                      "Databases as in assay run, instead of SQLite and the servers that are installed");
  command->add_option("--seconds", o->seconds, "For each isolation level of each database (4)")
      ->check(more_than_zero());
  command->add_option("--report", o->report, "Write the table and all witnesses as one HTML file, offline");
  command->add_option("--seed", o->seed, "Of what the clients ask for; drawn when not given");
  command->add_flag("--json", o->json, "The table and all witnesses as one JSON object");
  command->add_flag("--quiet", o->quiet, "The table only, no witnesses");
  command->footer(
      "Runs workloads of several kinds on every isolation level of every database, and judges what came of "
      "it "
      "at\nevery level that assay knows. A level is kept when no run broke it. Runs on keys and runs on rows "
      "are judged apart. The exit code is 0 whatever "
      "was "
      "found.\nPostgreSQL and MariaDB are started in a temporary directory when they are installed.\n\n"
      "Examples:\n"
      "  assay matrix --report matrix.html\n"
      "  assay matrix --seconds 30 --quiet\n"
      "  assay matrix --db postgresql://me@db.example/test --json");
  command->callback([o, &exit] { exit = run(*o); });
}

}  // namespace assay::cli
