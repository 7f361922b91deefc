// `assay run`: a workload on a database, the history of what happened, and the verdict.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <sstream>

#include "base/hash.h"
#include "cli/findings_text.h"
#include "cli/interrupt.h"
#include "cli/judging.h"
#include "cli/matrix_row.h"
#include "cli/outputs.h"
#include "cli/run_schedules.h"
#include "cli/workload_options.h"
#include "collect/collector.h"
#include "collect/server.h"
#include "collect/temporary_directory.h"
#include "history_io/journal.h"
#include "isolation/level_list.h"
#include "report/json.h"

namespace assay::cli {
namespace {

struct RunArguments {
  std::string db = "sqlite:", start, isolation, check, out, schedules, faults;
  WorkloadArguments workload;
  std::optional<double> seconds;
  double think_time = 0;  // milliseconds
  JudgeOptions judge{};
  Outputs outputs{};
  bool until_violation = false, json = false, quiet = false;
};

constexpr std::size_t kMostActors = 64;  // transactions of a schedule
// Of a hunt.
constexpr double kHunt = 60, kShortestRun = 0.1;  // seconds
// A hunt has time to judge at least so many runs, if each may take this many seconds.
constexpr double kJudgingsInHunt = 10, kShortestShare = 2;
constexpr std::size_t kRunsBeforeFewerKeys = 3;

GeneratorOptions default_workload(bool hunt) {
  GeneratorOptions g;
  g.transactions = hunt ? 1000 : 5000;
  return g;
}

Result<std::vector<const DatabaseLevel*>> database_levels(const Database& database,
                                                          const std::string& names) {
  std::vector<const DatabaseLevel*> levels;
  std::istringstream list(names);
  std::string name;
  do {
    std::getline(list, name, ',');
    auto level = find_level(database, name);
    if (!level) return std::move(level).error();
    levels.push_back(*level);
  } while (!list.eof());
  return levels;
}

// What the database promises to all of the sessions: the claim that every other one implies.
Result<std::vector<Level>> claimed(const std::vector<const DatabaseLevel*>& levels) {
  for (const DatabaseLevel* weakest : levels)
    if (weakest->claims && std::ranges::all_of(levels, [&](const DatabaseLevel* other) {
          return other->claims && implies(*other->claims, *weakest->claims);
        }))
      return std::vector{*weakest->claims};
  return error(fmt::format("{} claims no level that could be checked", levels.front()->name),
               "say which with --check");
}

std::string describe(const Database& database, const std::vector<const DatabaseLevel*>& levels) {
  std::string text = database.version() + ", ";
  for (const DatabaseLevel* level : levels)
    text += (text.ends_with(", ") ? "" : "/") + std::string(level->name);
  return text;
}

std::string describe(const Tally& tally) {
  const double rate = tally.seconds > 0 ? static_cast<double>(tally.all()) / tally.seconds : 0;
  return fmt::format("{} transactions in {:.1f} s ({}/s): {} committed, {} aborted, {} unknown",
                     with_commas(tally.all()), tally.seconds, with_commas(static_cast<std::uint64_t>(rate)),
                     with_commas(tally.committed), with_commas(tally.aborted), with_commas(tally.unknown));
}

// Where a run leaves its journals and its history.
struct Places {
  std::string journals, history;
};

class Runner {
 public:
  explicit Runner(RunArguments& arguments) : o_(arguments) {}

  Result<Exit> run() {
    watch_interrupts();  // from here on there are things to clean up
    if (o_.workload.workload == "hermitage" || !o_.schedules.empty()) return schedules();
    ASSAY_TRY(prepare());
    return o_.until_violation ? hunt() : once();
  }

 private:
  Result<Exit> once() {
    const auto tally = record();
    if (!tally) return tally.error();
    summarize(*tally, 1);
    auto judged = judge();
    if (!judged) return std::move(judged).error();
    return tell(*judged);
  }

  Result<Exit> schedules() {
    options_.workload.sessions = kMostActors;
    ASSAY_TRY(open());
    ASSAY_TRY(choose_levels());
    return run_schedules(
        {.file = o_.schedules, .called = o_.judge.called, .out = o_.out, .json = o_.json, .quiet = o_.quiet},
        *database_, options_.levels, o_.judge, o_.outputs);
  }

  // Short runs with fresh seeds, on ever fewer keys, until a level breaks or time is up. Judging one of them
  // may take only a part of that time: another run is a better use of it than a history that is hard to
  // decide.
  Result<Exit> hunt() {
    const double share = std::max(*o_.seconds / kJudgingsInHunt, kShortestShare);
    o_.judge.timeout = std::min(o_.judge.timeout.value_or(share), share);
    const auto start = std::chrono::steady_clock::now();
    const std::uint64_t first_seed = options_.workload.seed;
    Tally sum;
    std::size_t undecided = 0;
    for (std::size_t runs = 1;; ++runs) {
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
      options_.seconds = std::max(*o_.seconds - spent.count(), kShortestRun);
      const auto tally = record();
      if (!tally) return tally.error();
      sum += *tally;
      auto judged = judge();
      if (!judged) return std::move(judged).error();
      if (any<Undecided>(*judged)) ++undecided;
      const std::chrono::duration<double> now = std::chrono::steady_clock::now() - start;
      if (any<Violated>(*judged) || was_interrupted() || now.count() >= *o_.seconds) {
        summarize(sum, runs, undecided);
        return tell(*judged);
      }
      options_.workload.seed = mix(first_seed, runs) >> 32;
      if (runs % kRunsBeforeFewerKeys == 0) options_.workload.keys = fewer_keys();
    }
  }

  // Half as many, as long as a transaction finds enough of them.
  std::size_t fewer_keys() const {
    const GeneratorOptions& w = options_.workload;
    const std::size_t fewest = w.distinct_keys ? w.operations : 2;
    return std::min(w.keys, std::max(fewest, w.keys / 2));
  }

  void summarize(const Tally& tally, std::size_t runs, std::size_t undecided = 0) const {
    warn(fmt::format(
        "{}; seed {}: {}{}{}", describe(*database_, options_.levels), options_.workload.seed, describe(tally),
        runs > 1 ? fmt::format(", in {} runs", runs) : "",
        undecided > 0 ? fmt::format(", {} of them undecided after {} s", undecided, *o_.judge.timeout) : ""));
  }

  Result<Findings> judge() {
    if (was_interrupted()) return error("interrupted: nothing was judged");
    return judge_for_user(places_.history, nullptr, o_.judge);
  }

  Result<void> prepare() {
    auto workload = o_.workload.options(default_workload(o_.until_violation));
    if (!workload) return std::move(workload).error();
    options_.workload = *workload;
    options_.seconds = o_.seconds;
    options_.count_transactions = !o_.seconds || o_.workload.txns || o_.until_violation;
    if (o_.until_violation && !o_.seconds) o_.seconds = kHunt;
    options_.think_time = o_.think_time / 1000;
    auto faults = parse_faults(o_.faults);
    if (!faults) return std::move(faults).error();
    options_.faults = *faults;
    if (faults->kill_server && o_.start.empty())
      return error("only a server that was started for the run is killed",
                   "--start postgres or --start mariadb");
    ASSAY_TRY(open());
    ASSAY_TRY(choose_levels());
    ASSAY_TRY(choose_places());
    return {};
  }

  Result<void> open() {
    if (!o_.start.empty()) {
      auto server = Server::start(o_.start);
      if (!server) return std::move(server).error();
      server_ = std::move(*server);
    }
    auto url = parse_url(server_ ? server_->url() : o_.db);
    if (!url) return std::move(url).error();
    auto database = open_database(*url, {.sessions = options_.workload.sessions,
                                         .operations = options_.workload.operations,
                                         .seed = options_.workload.seed});
    if (!database) return std::move(database).error();
    database_ = std::move(*database);
    o_.judge.called = !o_.out.empty() ? o_.out : server_ ? o_.start : url->shown;
    return {};
  }

  Result<void> choose_levels() {
    auto levels = database_levels(*database_, o_.isolation);
    if (!levels) return std::move(levels).error();
    options_.levels = std::move(*levels);
    if (o_.check.empty()) {
      auto to_check = claimed(options_.levels);
      if (!to_check) return std::move(to_check).error();
      o_.judge.levels = std::move(*to_check);
    } else {
      auto to_check = parse_levels(o_.check);
      if (!to_check) return std::move(to_check).error();
      o_.judge.levels = std::move(to_check->levels);
      o_.judge.all = to_check->all;
    }
    o_.judge.explain = o_.json || !o_.quiet || o_.outputs.need_stories();
    return {};
  }

  Result<void> choose_places() {
    if (!o_.outputs.certificate.empty() && o_.out.empty())
      return error("a certificate without its history proves nothing", "keep the history with -o");
    if (o_.out.empty()) {
      auto made = TemporaryDirectory::create();
      if (!made) return std::move(made).error();
      directory_ = std::move(*made);
      places_ = {directory_->path() + "/journals", directory_->path() + "/history.jsonl"};
      return {};
    }
    auto format = format_for_output(o_.out);
    if (!format) return std::move(format).error();
    places_ = {o_.out + ".journals", o_.out};
    return {};
  }

  Result<Tally> record() {
    options_.directory = places_.journals;
    options_.note = fmt::format("{}, {}, seed {}{}", describe(*database_, options_.levels),
                                o_.workload.workload.empty() ? "general" : o_.workload.workload,
                                options_.workload.seed, o_.faults.empty() ? "" : ", faults " + o_.faults);
    options_.kill_server = [this] { server_->kill_server(); };
    auto tally = collect(*database_, options_, [](const Tally& so_far) {
      show_progress(describe(so_far));
      return !was_interrupted();
    });
    show_progress("");
    if (!tally) return tally;
    ASSAY_TRY(write_history_file());
    return tally;
  }

  // The native format is merged from the journals as it is; others are converted.
  Result<void> write_history_file() {
    const auto format = format_for_output(places_.history);
    if ((*format)->id == "jsonl") {
      ASSAY_TRY(merge_journals(places_.journals, places_.history));
    } else {
      auto history = read_history(places_.journals);
      if (!history) return std::move(history).error();
      const auto report = write_history(*history, places_.history, **format, {.lossy = true});
      if (!report) return report.error();
      for (const std::string& loss : report->left_out) warn(fmt::format("{}: left out {}", o_.out, loss));
    }
    std::error_code ignored;
    std::filesystem::remove_all(places_.journals, ignored);
    return {};
  }

  Result<Exit> tell(const Findings& findings) {
    if (o_.json) print(as_json(findings) + "\n");
    else print(verdict_lines(findings));
    if (!o_.json && !o_.quiet) print(explanations(findings, false));
    ASSAY_TRY(o_.outputs.write(findings));
    ASSAY_TRY(o_.outputs.finish());
    if (!any<Violated>(findings)) return any<Undecided>(findings) ? Exit::Undecided : Exit::Holds;
    if (replaces_rows(options_.workload) && !o_.db.starts_with("simulated:"))
      warn(std::string(why_unsettled()));
    ASSAY_TRY(keep_history());
    return Exit::Found;
  }

  // A violation that nobody could look at again would be a pity.
  Result<void> keep_history() {
    if (!o_.out.empty()) return {};
    const std::string kept = fmt::format("assay-run-{}.jsonl", options_.workload.seed);
    std::error_code problem;
    std::filesystem::copy_file(places_.history, kept, std::filesystem::copy_options::overwrite_existing,
                               problem);
    if (problem)
      return error(fmt::format("cannot keep the history as {}: {}", kept, problem.message()),
                   "name a place with -o");
    warn(fmt::format("the history is kept as {}", kept));
    return {};
  }

  RunArguments& o_;
  CollectOptions options_;
  std::optional<Server> server_;  // outlives the connections to it
  std::unique_ptr<Database> database_;
  std::optional<TemporaryDirectory> directory_;
  Places places_;
};

Exit run(RunArguments o) {
  const auto done = Runner(o).run();
  if (done) return *done;
  fail(done.error());
  return was_interrupted() ? Exit::Undecided : Exit::Bad;
}

}  // namespace

void add_run(CLI::App& app, Exit& exit, const std::string& command_line) {
  auto o = std::make_shared<RunArguments>();
  o->outputs.command = command_line;
  CLI::App* command =
      app.add_subcommand("run", "Run a workload on a database, record what it did, and judge it");
  CLI::Option* db =
      command->add_option("--db", o->db,
                          "The database: sqlite:, sqlite:FILE, postgresql://USER@HOST/DATABASE, "
                          "mariadb://USER@HOST, simulated:LEVEL (sqlite:)");
  command->add_option("--start", o->start, "Start a server for this run: postgres or mariadb")->excludes(db);
  command->add_option(
      "--isolation", o->isolation,
      "Level as the database calls it, or several by commas, for one session after the other");
  command->add_option("--check", o->check, "Levels to judge the history at (what the database claims)");
  command->add_option("-o,--out", o->out, "Keep the history there; .gz and .zst compress");
  command->add_option("--txns", o->workload.txns, "Transactions of a run, aborted ones included (5000)");
  command->add_option("--seconds", o->seconds, "How long to run; with --txns whichever comes first")
      ->check(more_than_zero());
  command->add_flag(
      "--until-violation", o->until_violation,
      "Repeat runs with fresh seeds and ever fewer keys, until a level breaks or --seconds (60) are over");
  command->add_option(
      "--faults", o->faults,
      "Break things: cut-connection, pause-client, delay-commit, kill-server (with --start), by commas");
  command->add_option("--think-time", o->think_time, "Milliseconds between two transactions of a client (0)")
      ->check(at_least_zero());
  o->workload.add_to(*command);
  command->add_option(
      "--schedules", o->schedules,
      "Run the schedules of this file instead, each by itself: NAME | W1[x] R2[x] A1 C2; -o is a directory");
  command->add_option("--seed", o->workload.seed, "Of what the clients ask for; drawn when not given");
  command
      ->add_option("--timeout", o->judge.timeout, "Seconds for the check of each level; then it is undecided")
      ->check(at_least_zero());
  command->add_option("--memory", o->judge.memory, "Megabytes of resident memory; then it is undecided");
  command->add_option("--report", o->outputs.report,
                      "Write a page to look at and pass on: one HTML file, offline");
  command->add_option("--dot", o->outputs.dot, "Write the violation as a graph for Graphviz");
  command->add_option("--svg", o->outputs.svg, "Write the violation as a picture (needs Graphviz)");
  command->add_option("--junit", o->outputs.junit, "Write the verdicts as JUnit XML, for CI");
  command->add_option("--certificate", o->outputs.certificate,
                      "Write the evidence there, for assay certify (needs -o)");
  command->add_flag("--json", o->json, "The verdicts as one JSON object");
  command->add_flag("--quiet", o->quiet, "Verdicts only, no explanations");
  command->footer(
      workloads_for_help() +
      "\nA run that was killed leaves OUT.journals: assay check OUT.journals judges what was recorded.\n\n"
      "Examples:\n"
      "  assay run\n"
      "  assay run --workload append --seconds 5 -o lists.jsonl\n"
      "  assay run --start postgres --isolation repeatable-read --check si,ser --report r.html\n"
      "  assay run --start mariadb --keys 50 --check si --until-violation --seconds 60\n"
      "  assay run --db simulated:si --workload smallbank --keys 20 --check si,ser");
  command->callback([o, &exit] { exit = run(*o); });
}

}  // namespace assay::cli
