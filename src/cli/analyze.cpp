// `assay analyze`: are these transaction programs serializable on a weaker level, and if not, how do they
// break?
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "analysis/advice.h"
#include "cli/analysis_view.h"
#include "cli/command.h"
#include "cli/limits.h"
#include "replay/replay.h"
#include "sql/as_written.h"
#include "sql/print.h"
#include "sql/read.h"

namespace assay::cli {
namespace {

constexpr unsigned kCyclesPerTuple = 3;
constexpr unsigned kOtherWitnesses = 2;

struct AnalyzeArguments {
  std::vector<std::string> files;
  std::string level, report, replay, command, proof;
  std::vector<std::string> programs;
  unsigned cycle = 3;
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  std::optional<double> timeout;
  bool prove = false, json = false, advise = false, harmless = false, columns = false, any_rows = false;
  bool all_lengths = false, show_programs = false;
};

using Clock = std::chrono::steady_clock;

double elapsed_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Result<void> keep_only(sql::Application& application, const std::vector<std::string>& names) {
  std::vector<sql::Program> kept;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(application.programs, name, &sql::Program::name);
    if (found == application.programs.end())
      return error(fmt::format("there is no program {}", name), "--show-programs lists them");
    kept.push_back(*found);
  }
  application.programs = std::move(kept);
  return {};
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
  AnalyzeRunner(const AnalyzeArguments& arguments, const sql::Application& application)
      : o_(arguments), options_(options_of(arguments)) {
    view_.files = o_.files;
    view_.application = &application;
  }

  Result<Exit> run() {
    watch_interrupts();
    if (o_.level.empty()) ASSAY_TRY(all_levels());
    else ASSAY_TRY(one_level());
    show_progress("");
    print(o_.json ? as_json(view_) + "\n" : as_text(view_));
    if (!o_.report.empty()) ASSAY_TRY(write_text(o_.report, as_page(view_, o_.command)));
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
    const auto files = sql::read_source_files(o_.files);
    if (!files) return files.error();
    auto stage = replay::Stage::open(o_.replay, *files);
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

  Exit exit_code() const {
    const auto any = [&](analysis::Outcome outcome) {
      return std::ranges::any_of(view_.levels,
                                 [&](const LevelResult& r) { return r.analysis.outcome == outcome; });
    };
    if (any(analysis::Outcome::AnomalyFound)) return Exit::Found;
    // Who asked for a proof did not get an answer.
    const bool unproved = options_.prove && any(analysis::Outcome::NoneUpToCycle);
    return any(analysis::Outcome::NotDecided) || unproved ? Exit::Undecided : Exit::Holds;
  }

  const AnalyzeArguments& o_;
  analysis::Options options_;
  AnalysisView view_;
};

Exit run(const AnalyzeArguments& o) {
  auto application = sql::read_application_files(o.files);
  if (!application) return fail(application.error());
  if (const auto kept = o.programs.empty() ? Result<void>() : keep_only(*application, o.programs); !kept)
    return fail(kept.error());
  if (o.show_programs) {
    for (const sql::Program& program : application->programs)
      print(sql::to_text(program, application->schema));
    for (const sql::Note& note : application->notes)
      print(fmt::format("note: {}: {}\n", sql::to_text(note.place), note.text));
    return Exit::Holds;
  }
  const auto exit = AnalyzeRunner(o, *application).run();
  return exit ? *exit : fail(exit.error());
}

}  // namespace

void add_analyze(CLI::App& app, Exit& exit, const std::string& command_line) {
  auto o = std::make_shared<AnalyzeArguments>();
  o->command = command_line;
  CLI::App* command =
      app.add_subcommand("analyze", "Are SQL transaction programs safe at a weaker isolation level");
  command->add_option("FILE", o->files, "SQL files: schema, functions, procedures, -- transaction: scripts")
      ->required();
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
  command->add_option("--programs", o->programs, "Only these, separated by commas")
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
      "smallbank.html");
  command->callback([o, &exit] { exit = run(*o); });
}

}  // namespace assay::cli
