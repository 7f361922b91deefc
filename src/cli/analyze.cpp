// `assay analyze`: are these transaction programs serializable on a weaker level, and if not, how do they
// break?
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "analysis/advice.h"
#include "cli/analysis_baseline.h"
#include "cli/analyze_input.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "replay/replay.h"
#include "sql/as_written.h"
#include "sql/print.h"

namespace assay::cli {
namespace {

constexpr unsigned kCyclesPerTuple = 3;
constexpr unsigned kOtherWitnesses = 2;

struct AnalyzeArguments {
  AnalyzeInput input;
  std::string level, report, replay, command, proof;
  std::string sarif, junit, baseline, write_baseline;
  unsigned cycle = 3;
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  std::optional<double> timeout;
  bool prove = false, json = false, advise = false, harmless = false, columns = false, any_rows = false;
  bool all_lengths = false, show_programs = false, strict = false;
};

using Clock = std::chrono::steady_clock;

double elapsed_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

analysis::Options options_of(const AnalyzeArguments& o) {
  analysis::Options options;
  options.cycle = o.cycle;
  options.prove = o.prove || !o.proof.empty();
  using Scheme = analysis::ProofScheme;
  options.scheme = o.proof == "inductive"       ? Scheme::Inductive
                   : o.proof == "shortest-path" ? Scheme::ShortestPath
                   : o.proof == "window"        ? Scheme::Window
                                                : Scheme::Auto;
  options.all_lengths = o.all_lengths;
  // A table of all levels shows one anomaly for each.
  if (!o.level.empty()) options.cycles_per_tuple = kCyclesPerTuple;
  if (!o.replay.empty()) options.other_witnesses = kOtherWitnesses;
  options.drop_harmless = o.harmless;
  options.threads = o.threads;
  options.granularity = o.columns ? analysis::Granularity::Column : analysis::Granularity::Row;
  options.initial_rows = o.any_rows ? analysis::InitialRows::Any : analysis::InitialRows::FromPrograms;
  const auto start = Clock::now();
  options.stop = [start, timeout = o.timeout] {
    return was_interrupted() || (timeout && elapsed_since(start) >= *timeout);
  };
  if (o.timeout) options.seconds_per_query = std::min(options.seconds_per_query, *o.timeout);
  options.progress = [](const analysis::Progress& progress) {
    show_progress(fmt::format("{}: {} of {}", progress.what, progress.done, progress.total));
  };
  return options;
}

class AnalyzeRunner {
 public:
  AnalyzeRunner(const AnalyzeArguments& arguments, const ReadPrograms& read)
      : o_(arguments), options_(options_of(arguments)), sources_(read.sources) {
    view_.files = o_.input.names();
    view_.application = &read.application;
  }

  Result<Exit> run() {
    watch_interrupts();
    if (o_.level.empty()) ASSAY_TRY(all_levels());
    else ASSAY_TRY(one_level());
    show_progress("");
    if (!o_.baseline.empty()) {
      const auto known = read_baseline(o_.baseline);
      if (!known) return known.error();
      view_.gone = mark_known(view_, *known);
    }
    print(o_.json ? as_json(view_) + "\n" : as_text(view_));
    ASSAY_TRY(write_files());
    return exit_code();
  }

 private:
  Result<void> all_levels() {
    if (!o_.replay.empty() || o_.advise)
      return error("--replay and --advise need a level", "--level si, for example");
    view_.all_levels = true;
    const auto answers = analysis::analyze_all_levels(*view_.application, options_);
    for (const analysis::LevelAnswer& answer : answers)
      view_.levels.push_back({std::string(analysis::id(answer.level)), answer.analysis, answer.seconds, {}});
    view_.weakest = analysis::weakest_levels(answers);
    return {};
  }

  Result<void> one_level() {
    const auto levels = analysis::parse_levels(o_.level, *view_.application);
    if (!levels) return levels.error();
    const auto start = Clock::now();
    LevelResult result{analysis::to_text(*levels, *view_.application),
                       analysis::analyze(*view_.application, *levels, options_)};
    result.seconds = elapsed_since(start);
    if (o_.advise && result.analysis.outcome == analysis::Outcome::AnomalyFound)
      view_.advice = analysis::advise(*view_.application, *levels, options_, result.analysis);
    show_progress("");
    if (!o_.replay.empty()) ASSAY_TRY(replay_all(result));
    view_.levels.push_back(std::move(result));
    return {};
  }

  Result<void> replay_all(LevelResult& result) {
    auto stage = replay::Stage::open(o_.replay, sources_);
    if (!stage) return std::move(stage).error();
    view_.database = stage->database();
    for (const analysis::FoundAnomaly& anomaly : result.analysis.anomalies) {
      if (was_interrupted()) return error("interrupted");
      show_progress(
          fmt::format("replaying {} of {}", result.replays.size() + 1, result.analysis.anomalies.size()));
      auto replayed = stage->replay(*view_.application, anomaly);
      if (!replayed) return std::move(replayed).error();
      result.replays.push_back(std::move(*replayed));
    }
    return {};
  }

  Result<void> write_files() const {
    if (!o_.report.empty()) ASSAY_TRY(write_text(o_.report, as_page(view_, o_.command)));
    if (!o_.sarif.empty()) ASSAY_TRY(write_text(o_.sarif, as_sarif(view_) + "\n"));
    if (!o_.junit.empty()) ASSAY_TRY(write_text(o_.junit, as_junit(view_)));
    if (!o_.write_baseline.empty()) ASSAY_TRY(write_text(o_.write_baseline, as_baseline(view_)));
    return {};
  }

  Exit exit_code() const {
    const auto any = [&](analysis::Outcome outcome) {
      return std::ranges::any_of(view_.levels,
                                 [&](const LevelResult& r) { return r.analysis.outcome == outcome; });
    };
    if (std::ranges::any_of(view_.levels, [](const LevelResult& r) { return new_anomalies(r) > 0; }))
      return Exit::Found;
    if (o_.strict && !view_.application->left_out.empty()) return Exit::Undecided;
    // Who asked for a proof did not get an answer.
    const bool unproved = options_.prove && any(analysis::Outcome::NoneUpToCycle);
    return any(analysis::Outcome::NotDecided) || unproved ? Exit::Undecided : Exit::Holds;
  }

  const AnalyzeArguments& o_;
  analysis::Options options_;
  const std::vector<sql::SourceFile>& sources_;
  AnalysisView view_;
};

// What the programs were taken for; those of a log as scripts that can be analysed again.
void show_programs(const ReadPrograms& read) {
  const sql::Application& application = read.application;
  if (!read.scripts.empty()) print(read.scripts + "\n");
  else
    for (const sql::Program& program : application.programs) print(sql::to_text(program, application.schema));
  for (const sql::Note& note : application.notes)
    print(fmt::format("{}note: {}: {}\n", read.scripts.empty() ? "" : "-- ", sql::to_text(note.place),
                      note.text));
}

Exit run(const AnalyzeArguments& o) {
  const auto read = read_input(o.input);
  if (!read) return fail(read.error());
  if (o.show_programs) {
    show_programs(*read);
    return Exit::Holds;
  }
  const auto exit = AnalyzeRunner(o, *read).run();
  return exit ? *exit : fail(exit.error());
}

}  // namespace

void add_analyze(CLI::App& app, Exit& exit, const std::string& command_line) {
  auto o = std::make_shared<AnalyzeArguments>();
  o->command = command_line;
  CLI::App* command =
      app.add_subcommand("analyze", "Are SQL transaction programs safe at a weaker isolation level");
  command->add_option("FILE", o->input.files,
                      "SQL files: schema, functions, procedures, -- transaction: scripts");
  command->add_option("--schema", o->input.schemas, "SQL files whose functions are no programs of their own")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--log", o->input.logs,
          "Logs of PostgreSQL with its statements (plain text, csvlog, jsonlog), or pg_stat_statements "
          "as CSV: analyse what an application sent")
      ->allow_extra_args(false);
  command->add_option("--log-line-prefix", o->input.line_prefix,
                      "The server's setting, '%m [%p] ' for example; guessed when not given");
  command->add_option("--programs-out", o->input.programs_out,
                      "Write the programs of the log as -- transaction: scripts, to keep and to edit");
  command->add_option(
      "--level", o->level,
      "ec, rc, cc, pc, psi, si or ser, also per program: si,enroll=ser; or FILE:LEVEL of the specification "
      "language; without it: all of them");
  command->add_option("--cycle", o->cycle, "The longest cycle of transactions to look for (3)")
      ->check(CLI::Range(2, 8));
  command->add_flag(
      "--prove", o->prove,
      "When there is none, look for a proof for any number of transactions, and for longer cycles");
  command
      ->add_option("--proof", o->proof,
                   "--prove, by this scheme only: inductive, shortest-path, window; or auto, any of them")
      ->check(CLI::IsMember({"auto", "inductive", "shortest-path", "window"}));
  command->add_flag("--all-lengths", o->all_lengths,
                    "Look for longer cycles although shorter ones were found");
  command->add_option("--only,--programs", o->input.only, "Only these programs, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--ignore", o->input.ignore, "All programs but these, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_flag("--advise", o->advise, "The smallest changes that make the level safe, each verified");
  command->add_flag("--harmless", o->harmless,
                    "Leave out anomalies that no client and no state can tell from a serial execution");
  command->add_option("--replay", o->replay,
                      "Bring each anomaly about on a real database: a postgresql:// URL, or start:postgres");
  command->add_flag(
      "--columns", o->columns,
      "Of concurrent writes the store keeps apart only those of the same column, not of the same row");
  command->add_flag("--any-rows", o->any_rows,
                    "Tables may start with rows that no program of the set could have inserted");
  command->add_option("--threads", o->threads, "Queries at once (all processors)")->check(CLI::Range(1, 256));
  command->add_option("--timeout", o->timeout, "Seconds, after which it is not decided")
      ->check(more_than_zero());
  command->add_option("--report", o->report, "Write the answer as one HTML file, with the cycles drawn");
  command->add_option("--sarif", o->sarif,
                      "Write the anomalies as SARIF 2.1.0, with the lines of their statements");
  command->add_option("--junit", o->junit, "Write the answer as JUnit XML, a test for each level");
  command->add_option("--baseline", o->baseline, "Accept the findings of this file: fail on new ones only");
  command->add_option("--write-baseline", o->write_baseline, "Write the findings as such a file");
  command->add_flag("--strict", o->strict, "Exit with 3 when a program could not be read");
  command->add_flag("--show-programs", o->show_programs, "Only say what the programs were taken for");
  command->add_flag("--json", o->json, "As one JSON object");
  command->footer(
      "Exits with 1 when an anomaly was found, with 0 when there is none up to the length of --cycle or the "
      "programs are "
      "proved\nserializable, with 3 when that was not decided or --prove found no proof. What could not be "
      "understood is assumed to do "
      "anything, and a "
      "note says so.\n\n"
      "Examples:\n"
      "  assay analyze examples/programs/smallbank.sql --level si --cycle 3\n"
      "  assay analyze examples/programs/tpcc.sql --level si --prove\n"
      "  assay analyze examples/programs/smallbank.sql --level examples/stores.spec:WritersInOrder\n"
      "  assay analyze examples/programs/smallbank.sql --level si --replay start:postgres --report "
      "smallbank.html\n"
      "  assay analyze --log postgresql.log --schema schema.sql --level rc");
  command->callback([o, &exit] { exit = run(*o); });
}

}  // namespace assay::cli
