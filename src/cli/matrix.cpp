// `assay matrix`: which isolation levels the available databases really provide, at each of their own levels.
#include <unistd.h>

#include <memory>
#include <random>

#include "api/version.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/judging.h"
#include "collect/temporary_directory.h"
#include "matrix/collect_matrix.h"

namespace assay::cli {
namespace {

struct MatrixArguments {
  std::vector<std::string> databases;  // URLs; none: all that are available
  std::string report, command;
  double seconds = MatrixOptions{}.seconds;  // for each configuration
  std::optional<std::uint64_t> seed;
  bool json = false, quiet = false;
};

Result<Findings> judge_run(History history, const MatrixJudgement& judgement) {
  JudgeOptions judging;
  judging.called = judgement.called;
  judging.levels = judgement.levels;
  judging.timeout = judging.patience = judgement.seconds_per_level;
  judging.in_all = judgement.seconds_in_all;
  return judge_for_user(std::move(history), judgement.called, "journal", judging);
}

Result<Matrix> matrix_of(const MatrixArguments& o) {
  watch_interrupts();
  const auto place = TemporaryDirectory::create();
  if (!place) return place.error();
  std::random_device device;
  return collect_matrix(o.databases, {.seconds = o.seconds,
                                      .seed = o.seed ? *o.seed : std::uint64_t{device()},
                                      .directory = place->path(),
                                      .judge = judge_run,
                                      .stop = was_interrupted,
                                      .progress = show_progress,
                                      .missing = warn});
}

Exit run(const MatrixArguments& o) {
  const auto matrix = matrix_of(o);
  if (!matrix) {
    fail(matrix.error());
    return was_interrupted() ? Exit::Undecided : Exit::Bad;
  }
  const bool stopped = was_interrupted();
  print(o.json ? as_json(*matrix) + "\n" : as_text(*matrix, !o.quiet, isatty(STDOUT_FILENO) != 0));
  const Exit done = stopped ? Exit::Undecided : Exit::Holds;
  if (o.report.empty()) return done;
  const auto written = write_text(o.report, as_html(*matrix, {version(), o.command}));
  return written ? done : fail(written.error());
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
  command->add_option("--seed", o->seed, "Seed of the clients' operations; random if not given");
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
