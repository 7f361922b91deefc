// `assay run`: runs a workload on a database, records the history, and judges it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/findings_text.h"
#include "cli/interrupt.h"
#include "cli/judging.h"
#include "cli/outputs.h"
#include "cli/run_schedules.h"
#include "cli/watch.h"
#include "cli/workload_options.h"
#include "collect/server.h"
#include "collect/temporary_directory.h"
#include "hunt/claims.h"
#include "hunt/until_violation.h"
#include "isolation/level_list.h"
#include "matrix/configuration.h"
#include "report/json.h"
#include "report/text.h"
#include "simulate/spelling.h"
#include "watch/settle.h"

namespace assay::cli {
namespace {

struct RunArguments {
  std::string db = "sqlite:", start, client, isolation, check, out, schedules, faults;
  WorkloadArguments workload;
  std::optional<double> seconds;
  double think_time = 0;  // milliseconds
  double reconnect = CollectOptions{}.reconnect_seconds;
  JudgeOptions judge{};
  Outputs outputs{};
  std::vector<std::string> treat;
  WatchArguments watch{};
  bool watches = false;
  bool until_violation = false, json = false, quiet = false;
};

constexpr std::size_t kMostActors = 64;  // the most transactions in a schedule

GeneratorOptions default_workload(bool hunt) {
  GeneratorOptions g;
  g.transactions = hunt ? 1000 : 5000;
  return g;
}

std::string describe(const Tally& tally) {
  const double rate = tally.seconds > 0 ? static_cast<double>(tally.all()) / tally.seconds : 0;
  return fmt::format("{} transactions in {:.1f} s ({}/s): {} committed, {} aborted, {} unknown",
                     with_commas(tally.all()), tally.seconds, with_commas(static_cast<std::uint64_t>(rate)),
                     with_commas(tally.committed), with_commas(tally.aborted), with_commas(tally.unknown));
}

class Runner {
 public:
  explicit Runner(RunArguments& arguments) : o_(arguments) {}

  Result<Exit> run() {
    watch_interrupts();  // from here on there are files and servers to clean up
    if (o_.workload.workload == "hermitage" || !o_.schedules.empty()) return schedules();
    ASSAY_TRY(prepare());
    return o_.until_violation ? hunt() : once();
  }

  // What was recorded must outlast a run that ends without a verdict.
  void keep_what_was_recorded() {
    if (!directory_) return;
    std::error_code ignored;
    if (std::filesystem::exists(plan_.history, ignored)) {
      if (const auto kept = keep_history(); !kept) warn(kept.error().describe());
    } else if (std::filesystem::exists(plan_.collect.directory, ignored)) {
      warn(fmt::format("what was recorded is in {}", plan_.collect.directory));
      directory_->release();
    }
  }

 private:
  Result<Exit> once() {
    if (o_.watches) ASSAY_TRY(prepare_to_watch());
    const auto run = record(*database_, plan_, o_.watches ? judge_while_running() : watch_run());
    show_progress("");
    if (!run) return run.error();
    if (watch_problem_) return *watch_problem_;
    warn_of_losses(*run);
    summarize(run->tally);
    warn_of_slowness(run->tally);
    warn_of_early_end(run->problem);
    const auto judged = judge();
    if (!judged) return judged.error();
    auto told = tell(*judged, run->problem);
    if (!told || watched_ != Exit::Found) return told;
    if (*told == Exit::Holds) ASSAY_TRY(keep_history());
    return Exit::Found;
  }

  // The journals are judged while the clients write them, between two looks at the run.
  Result<void> prepare_to_watch() {
    o_.watch.level = id(o_.judge.levels.front());
    o_.watch.source = plan_.collect.directory;
    o_.watch.json = o_.json;
    o_.watch.quiet = o_.quiet;
    plan_.recorded = [this] {
      while (watch_step()) {
      }
      if (!watcher_ || watch_problem_) return;
      if (const auto exit = watcher_->finish(true); exit) watched_ = *exit;
      else watch_problem_ = exit.error();
    };
    return watch::can_forget_at(in_real_time(o_.judge.levels.front()));
  }
  std::function<bool(const Tally&)> judge_while_running() {
    return [this](const Tally&) {
      watch_step();
      return !is_stopped() && !watch_problem_ && !(o_.watch.stop && watcher_has_stopped_);
    };
  }
  // Returns whether there may be more to read at once.
  bool watch_step() {
    if (watch_problem_ || watcher_has_stopped_) return false;
    if (!watcher_) {
      auto opened = StreamWatcher::open(o_.watch);
      if (!opened) watch_problem_ = opened.error();
      else watcher_ = std::move(*opened);
      return watcher_ != nullptr;
    }
    const auto more = watcher_->step(0);
    if (!more) watch_problem_ = more.error();
    else watcher_has_stopped_ = *more == StreamWatcher::Step::Done;
    return more && *more == StreamWatcher::Step::More;
  }

  Result<Exit> schedules() {
    plan_.collect.workload.sessions = kMostActors;
    ASSAY_TRY(open());
    ASSAY_TRY(choose_levels());
    return judge_schedules(
        {.file = o_.schedules, .called = o_.judge.called, .out = o_.out, .json = o_.json, .quiet = o_.quiet},
        *database_, plan_.collect.levels, o_.judge, o_.outputs);
  }

  Result<Exit> hunt() {
    const HuntOptions options{
        .seconds = *o_.seconds, .judging_seconds = o_.judge.timeout, .stop = [this] { return is_stopped(); }};
    const auto judge_run = [this](const RecordedRun& run, double seconds) {
      show_progress("");
      warn_of_losses(run);
      o_.judge.timeout = seconds;
      o_.judge.least_for_explaining = o_.judge.patience;
      return judge();
    };
    const auto hunted = hunt_violation(*database_, plan_, options, judge_run, watch_run());
    show_progress("");
    if (!hunted) return hunted.error();
    plan_.collect.workload.seed = hunted->seed;
    std::string notes = hunted->runs > 1 ? fmt::format(", in {} runs", hunted->runs) : "";
    if (hunted->undecided > 0)
      notes += fmt::format(", {} of them undecided after {} s", hunted->undecided, hunted->judging_seconds);
    summarize(hunted->tally, notes);
    warn_of_slowness(hunted->tally);
    warn_of_early_end(hunted->problem);
    return tell(hunted->findings, hunted->problem);
  }

  std::function<bool(const Tally&)> watch_run() {
    return [this](const Tally& so_far) {
      show_progress(describe(so_far));
      return !is_stopped();
    };
  }

  // The first Ctrl-C ends the run, and what was recorded is judged. One that follows ends that.
  bool is_stopped() { return stopped_ |= take_interrupt(); }

  void warn_of_early_end(const std::optional<Error>& problem) {
    if (problem) warn("the run ended early: " + problem->describe());
    else if (is_stopped()) warn("interrupted: this is about what was recorded until then");
  }

  void summarize(const Tally& tally, const std::string& notes = {}) const {
    warn(fmt::format("{}; seed {}: {}{}", describe(*database_, plan_.collect.levels),
                     plan_.collect.workload.seed, describe(tally), notes));
  }

  // Few transactions find little.
  void warn_of_slowness(const Tally& tally) const {
    constexpr double kSlow = 10;  // transactions of a client in a second
    const double clients = static_cast<double>(plan_.collect.workload.sessions);
    const bool slow =
        tally.seconds >= 1 && static_cast<double>(tally.all()) < kSlow * clients * tally.seconds;
    if (const std::string why = database_->slowness(); slow && !why.empty()) warn("that is slow: " + why);
  }

  void warn_of_losses(const RecordedRun& run) const {
    for (const std::string& loss : run.left_out) warn(fmt::format("{}: left out {}", o_.out, loss));
  }

  Result<Findings> judge() { return judge_for_user(plan_.history, nullptr, o_.judge); }

  Result<void> prepare() {
    auto workload = o_.workload.options(default_workload(o_.until_violation));
    if (!workload) return std::move(workload).error();
    CollectOptions& options = plan_.collect;
    options.workload = *workload;
    options.seconds = o_.seconds;
    options.count_transactions = !o_.seconds || o_.workload.txns || o_.until_violation;
    if (o_.until_violation && !o_.seconds) o_.seconds = HuntOptions{}.seconds;
    options.think_time = o_.think_time / 1000;
    options.reconnect_seconds = o_.reconnect;
    auto faults = parse_faults(o_.faults);
    if (!faults) return std::move(faults).error();
    options.faults = *faults;
    options.kill_server = [this] { server_->kill_server(); };
    plan_.faults = o_.faults;
    plan_.workload = spelled(*workload);
    if (!o_.workload.seed) o_.outputs.command += fmt::format(" --seed {}", workload->seed);
    o_.outputs.seed = workload->seed;
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
    if (!o_.client.empty()) return open_program();
    auto url = parse_url(server_ ? server_->url() : o_.db);
    if (!url) return std::move(url).error();
    auto treatments = parse_treatments(o_.treat);
    if (!treatments) return std::move(treatments).error();
    auto database = open_database(*url, {.sessions = plan_.collect.workload.sessions,
                                         .operations = plan_.collect.workload.operations,
                                         .seed = plan_.collect.workload.seed,
                                         .treatments = std::move(*treatments)});
    if (!database) return std::move(database).error();
    database_ = std::move(*database);
    o_.judge.called = !o_.out.empty() ? o_.out : server_ ? o_.start : url->shown;
    return {};
  }

  Result<void> open_program() {
    auto database = open_client(o_.client);
    if (!database) return std::move(database).error();
    database_ = std::move(*database);
    o_.judge.called = o_.out.empty() ? database_->version() : o_.out;
    return {};
  }

  // A database may offer a weak level when it is not asked, at which nothing can be watched.
  void choose_watchable_isolation() {
    if (!o_.watches || !o_.isolation.empty() || !o_.check.empty()) return;
    const auto can_watch = [](const DatabaseLevel& level) {
      return level.claims && watch::can_forget_at(in_real_time(*level.claims)).has_value();
    };
    const auto levels = database_->levels();
    const auto chosen = std::ranges::find_if(levels, can_watch);
    if (chosen == levels.end() || chosen == levels.begin()) return;
    o_.isolation = chosen->name;
    warn(fmt::format("running at {}, since {} cannot be watched; --isolation names another level",
                     chosen->name, levels.front().name));
  }

  Result<void> choose_levels() {
    choose_watchable_isolation();
    auto levels = find_levels(*database_, o_.isolation);
    if (!levels) return std::move(levels).error();
    plan_.collect.levels = std::move(*levels);
    if (o_.check.empty()) {
      const auto claim = common_claim(plan_.collect.levels);
      if (!claim) return claim.error();
      o_.judge.levels = {*claim};
    } else {
      auto chosen = parse_levels(o_.check);
      if (!chosen) return std::move(chosen).error();
      for (const std::string& meaning : chosen->meanings) warn(meaning);
      o_.judge.levels = std::move(chosen->levels);
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
      plan_.collect.directory = directory_->path() + "/journals";
      plan_.history = directory_->path() + "/history.jsonl";
      return {};
    }
    auto format = format_for_output(o_.out);
    if (!format) return std::move(format).error();
    plan_.collect.directory = o_.out + ".journals";
    plan_.history = o_.out;
    return {};
  }

  Result<Exit> tell(const Findings& findings, const std::optional<Error>& problem) {
    if (o_.json) {
      print(as_json(findings) + "\n");
    } else {
      warn_about(findings);
      print(verdict_lines(findings));
      if (!o_.quiet) print(explanations(findings, false));
    }
    ASSAY_TRY(o_.outputs.write(findings));
    ASSAY_TRY(o_.outputs.finish());
    if (!any<Violated>(findings)) {
      if (any<Undecided>(findings)) ASSAY_TRY(keep_history());
      return problem ? Exit::Bad : any<Undecided>(findings) ? Exit::Undecided : Exit::Holds;
    }
    if (replaces_rows(plan_.collect.workload) && !o_.db.starts_with("simulated:"))
      warn(std::string(why_unsettled()));
    ASSAY_TRY(keep_history());
    return Exit::Found;
  }

  // Keeps the history of a violation or without a verdict, even if the user did not ask for it, so that it
  // can be examined or judged again.
  Result<void> keep_history() {
    if (!o_.out.empty()) return {};
    const std::string kept = fmt::format("assay-run-{}.jsonl", plan_.collect.workload.seed);
    std::error_code problem;
    std::filesystem::copy_file(plan_.history, kept, std::filesystem::copy_options::overwrite_existing,
                               problem);
    if (problem)
      return error(fmt::format("cannot keep the history as {}: {}", kept, problem.message()),
                   "name a place with -o");
    warn(fmt::format("the history is kept as {}", kept));
    return {};
  }

  RunArguments& o_;
  RunPlan plan_;
  std::optional<Server> server_;  // outlives the connections to it
  std::unique_ptr<Database> database_;
  std::optional<TemporaryDirectory> directory_;
  bool stopped_ = false;  // by the user
  std::unique_ptr<StreamWatcher> watcher_;
  std::optional<Error> watch_problem_;
  bool watcher_has_stopped_ = false;
  Exit watched_ = Exit::Holds;
};

Exit run(RunArguments o) {
  Runner runner(o);
  const auto done = runner.run();
  if (done) return *done;
  runner.keep_what_was_recorded();
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
  CLI::Option* start =
      command->add_option("--start", o->start, "Start a server for this run: postgres or mariadb")
          ->excludes(db);
  command
      ->add_option("--client", o->client,
                   "A program of yours that speaks to the database; docs/client-protocol.md says how")
      ->excludes(db)
      ->excludes(start);
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
  command->add_flag("--watch", o->watches,
                    "Judge at ser or si while it runs, and report violations at once (docs/watch.md)");
  command->add_option("--horizon", o->watch.horizon, "Of --watch: like 1s, 500ms (1s)");
  command->add_flag("--stop", o->watch.stop, "With --watch: end the run at the first violation");
  command->add_option("--metrics", o->watch.metrics, "With --watch: keep numbers there, for Prometheus");
  command->add_option("--think-time", o->think_time, "Milliseconds between two transactions of a client (0)")
      ->check(at_least_zero());
  command->add_option("--treat", o->treat,
                      "What an error means: CODE=aborted, CODE=unknown or CODE=fatal; may be repeated");
  command
      ->add_option("--reconnect", o->reconnect,
                   "Seconds that a client tries to connect again before the run ends (15)")
      ->check(at_least_zero());
  o->workload.add_to(*command);
  command->add_option(
      "--schedules", o->schedules,
      "Run the schedules of this file instead, each by itself: NAME | W1[x] R2[x] A1 C2; -o is a directory");
  command->add_option("--seed", o->workload.seed, "Seed of the clients' operations; random if not given");
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
      "  assay run --start postgres --watch --seconds 60\n"
      "  assay run --start mariadb --keys 50 --check si --until-violation --seconds 60\n"
      "  assay run --db simulated:si --workload smallbank --keys 20 --check si,ser\n"
      "  assay run --client 'python3 examples/clients/sqlite.py'");
  command->callback([o, &exit] { exit = run(*o); });
}

}  // namespace assay::cli
