// `assay analyze`: whether transaction programs are serializable at a weaker level, and if not, how they
// violate it.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "analysis_report/baseline.h"
#include "analysis_report/study.h"
#include "api/version.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "sql/print.h"
#include "sql_log/read_programs.h"

namespace assay::cli {
namespace {

constexpr unsigned kCyclesPerTuple = 3;
constexpr unsigned kOtherWitnesses = 2;

struct AnalyzeArguments {
  sql_log::ProgramSources input;
  std::string level, report, replay, command, proof;
  std::string sarif, junit, baseline, write_baseline;
  unsigned cycle = 3;
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  std::optional<double> timeout;
  bool prove = false, json = false, advise = false, harmless = false, columns = false, any_rows = false;
  bool all_lengths = false, show_programs = false, strict = false;
};

using analysis_report::AnalysisView;
using analysis_report::LevelResult;
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
  // A table of all levels shows one anomaly for each level.
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

Result<void> write_files(const AnalyzeArguments& o, const AnalysisView& view) {
  if (!o.report.empty())
    ASSAY_TRY(write_text(o.report, analysis_report::as_page(view, {version(), o.command})));
  if (!o.sarif.empty()) ASSAY_TRY(write_text(o.sarif, analysis_report::as_sarif(view, version()) + "\n"));
  if (!o.junit.empty()) ASSAY_TRY(write_text(o.junit, analysis_report::as_junit(view)));
  if (!o.write_baseline.empty()) ASSAY_TRY(write_text(o.write_baseline, analysis_report::as_baseline(view)));
  return {};
}

Exit exit_of(const AnalyzeArguments& o, const AnalysisView& view, bool proof_wanted) {
  const auto any = [&](analysis::Outcome outcome) {
    return std::ranges::any_of(view.levels,
                               [&](const LevelResult& r) { return r.analysis.outcome == outcome; });
  };
  if (std::ranges::any_of(view.levels, [](const LevelResult& r) { return new_anomalies(r) > 0; }))
    return Exit::Found;
  if (o.strict && !view.application->left_out.empty()) return Exit::Undecided;
  // Users who asked for a proof and did not get one have no answer.
  const bool unproved = proof_wanted && any(analysis::Outcome::NoneUpToCycle);
  return any(analysis::Outcome::NotDecided) || unproved ? Exit::Undecided : Exit::Holds;
}

Result<Exit> answer(const AnalyzeArguments& o, const sql_log::ReadPrograms& read) {
  watch_interrupts();
  const analysis_report::Question question{.levels = o.level,
                                           .options = options_of(o),
                                           .advise = o.advise,
                                           .replay_where = o.replay,
                                           .go_on_replaying = [](std::size_t done, std::size_t all) {
                                             show_progress(fmt::format("replaying {} of {}", done + 1, all));
                                             return !was_interrupted();
                                           }};
  auto view = analysis_report::study(read.application, read.sources, question);
  show_progress("");
  if (!view) return std::move(view).error();
  view->files = o.input.names();
  if (!o.baseline.empty()) {
    const auto known = analysis_report::read_baseline(o.baseline);
    if (!known) return known.error();
    view->gone = mark_known(*view, *known);
  }
  print(o.json ? as_json(*view) + "\n" : as_text(*view));
  ASSAY_TRY(write_files(o, *view));
  return exit_of(o, *view, question.options.prove);
}

// Prints the programs as the analysis understands them; those of a log as scripts that can be analysed again.
void show_programs(const sql_log::ReadPrograms& read) {
  const sql::Application& application = read.application;
  if (!read.scripts.empty()) print(read.scripts + "\n");
  else
    for (const sql::Program& program : application.programs) print(sql::to_text(program, application.schema));
  for (const sql::Note& note : application.notes)
    print(fmt::format("{}note: {}: {}\n", read.scripts.empty() ? "" : "-- ", sql::to_text(note.place),
                      note.text));
}

Exit run(const AnalyzeArguments& o) {
  if (o.input.files.empty() && o.input.logs.empty())
    return fail(error("nothing to analyse", "give SQL files, or --log FILE with --schema FILE"));
  if (o.input.logs.empty() && !(o.input.line_prefix.empty() && o.input.programs_out.empty()))
    return fail(error("--log-line-prefix and --programs-out are about logs", "add --log FILE"));
  const auto read = sql_log::read_programs(o.input, write_text);
  if (!read) return fail(read.error());
  if (o.show_programs) {
    show_programs(*read);
    return Exit::Holds;
  }
  const auto exit = answer(o, *read);
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
  command
      ->add_option("--replay", o->replay,
                   "Reproduce each anomaly on a real database: a postgresql:// URL, or start:postgres, the "
                   "default if this option comes last")
      ->expected(0, 1)
      ->default_str("start:postgres");
  command->add_flag(
      "--columns", o->columns,
      "Concurrent transactions conflict only if they write the same column of a row, not the same row");
  command->add_flag("--any-rows", o->any_rows,
                    "Tables may start with rows that no program of the set could have inserted");
  command->add_option("--threads", o->threads, "Parallel queries of the solver (all processors)")
      ->check(CLI::Range(1, 256));
  command->add_option("--timeout", o->timeout, "Seconds; then the answer is undecided")
      ->check(more_than_zero());
  command->add_option("--report", o->report, "Write the answer as one HTML file, with the cycles drawn");
  command->add_option("--sarif", o->sarif,
                      "Write the anomalies as SARIF 2.1.0, with the lines of their statements");
  command->add_option("--junit", o->junit, "Write the answer as JUnit XML, a test for each level");
  command->add_option("--baseline", o->baseline, "Accept the findings of this file: fail on new ones only");
  command->add_option("--write-baseline", o->write_baseline, "Write the findings as such a file");
  command->add_flag("--strict", o->strict, "Exit with 3 when a program could not be read");
  command->add_flag("--show-programs", o->show_programs,
                    "Only print the programs as the analysis understands them");
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
