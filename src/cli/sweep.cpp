// `assay sweep` judges many histories in parallel; `assay merge` puts the results of several sweeps together.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

#include "api/version.h"
#include "base/stopwatch.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "isolation/level_list.h"
#include "sweep/summary.h"
#include "sweep/sweep.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using sweep::HistoryResult;

struct Written {
  std::string folder, junit;
};

struct SweepArguments {
  std::vector<std::string> paths;
  std::string levels = "ser", format, results, shard;
  Written written{};
  sweep::SweepOptions options{};
  std::string command;
  bool again = false, quiet = false;
};

struct MergeArguments {
  std::vector<std::string> results;
  Written written{};
  std::string command;
};

Exit exit_of(const std::vector<HistoryResult>& results) {
  const auto any = [&](auto&& holds) { return std::ranges::any_of(results, holds); };
  if (any([](const HistoryResult& r) { return r.has("violated"); })) return Exit::Found;
  if (any([](const HistoryResult& r) { return !r.problem.empty(); })) return Exit::Bad;
  return any([](const HistoryResult& r) { return r.has("undecided"); }) ? Exit::Undecided : Exit::Holds;
}

// The files about all results.
Result<void> write_files(const std::vector<HistoryResult>& results, const Written& written,
                         const Tool& tool) {
  if (!written.folder.empty()) {
    std::error_code problem;
    fs::create_directories(written.folder, problem);
    ASSAY_TRY(write_text(written.folder + "/index.html", sweep::index_page(results, tool)));
  }
  if (!written.junit.empty()) ASSAY_TRY(write_text(written.junit, junit_file(sweep::junit_suites(results))));
  return {};
}

// How far it is, and how long the rest takes if bytes go on taking as long as they did.
class SweepProgress {
 public:
  explicit SweepProgress(const std::vector<sweep::Input>& inputs) : histories_(inputs.size()) {
    for (const sweep::Input& input : inputs) bytes_ += input.bytes;
  }

  void add(const HistoryResult& result) {
    ++done_;
    done_bytes_ += result.input.bytes;
    violated_ += result.has("violated");
    const double share = bytes_ == 0 ? 1 : static_cast<double>(done_bytes_) / static_cast<double>(bytes_);
    const double seconds = seconds_since(start_);
    std::string text = fmt::format("{} of {} histories, {} violated", done_, histories_, violated_);
    if (done_ < histories_ && share > 0 && seconds > 1)
      text += fmt::format(", about {:.0f} s left", seconds / share - seconds);
    show_progress(text);
  }

 private:
  std::size_t histories_, done_ = 0, violated_ = 0;
  std::uint64_t bytes_ = 0, done_bytes_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// The file of results: what earlier sweeps wrote there, and each new result as soon as there is one.
class ResultsFile {
 public:
  // Reads what is there. A last line that was cut off is removed.
  Result<std::vector<HistoryResult>> open(const std::string& name) {
    name_ = name;
    if (name.empty()) return std::vector<HistoryResult>{};
    std::error_code ignored;
    sweep::Results known;
    if (fs::exists(name, ignored)) {
      auto read = sweep::read_results(name);
      if (!read) return std::move(read).error();
      known = std::move(read).value();
    }
    if (const auto folder = fs::path(name).parent_path(); !folder.empty())
      fs::create_directories(folder, ignored);
    if (known.dropped) {
      warn(fmt::format("{}: the last line was cut off; its history is judged again", name));
      fs::resize_file(name, known.whole_bytes, ignored);
    }
    file_.open(name, std::ios::binary | std::ios::app);
    if (!file_) return error(fmt::format("{}: cannot write", name));
    return std::move(known.all);
  }
  void add(const HistoryResult& result) {
    if (file_.is_open()) file_ << sweep::as_line(result) << '\n' << std::flush;
  }
  Result<void> finish() {
    return file_.is_open() && !file_ ? error(fmt::format("{}: cannot write", name_)) : Result<void>{};
  }

 private:
  std::string name_;
  std::ofstream file_;
};

// Checks the arguments and completes the options.
Result<std::vector<sweep::Input>> prepare(SweepArguments& o) {
  const auto format = format_option(o.format);
  if (!format) return format.error();
  const auto levels = parse_levels(o.levels);
  if (!levels) return levels.error();
  o.options.format = *format;
  for (const std::string& meaning : levels->meanings) warn(meaning);
  o.options.judge.levels = levels->levels;
  o.options.tool = {version(), o.command};
  o.options.folder = o.written.folder;
  if (o.results.empty() && !o.written.folder.empty()) o.results = o.written.folder + "/results.jsonl";
  std::vector<std::string> left_out;
  auto inputs = sweep::find_histories(o.paths, *format, &left_out);
  if (!inputs) return inputs;
  if (!left_out.empty())
    warn(fmt::format("files that are not recognised as a history{} are left out: {}{}",
                     *format ? " of this format" : "", left_out.front(),
                     left_out.size() == 1 ? "" : fmt::format(" and {} more", left_out.size() - 1)));
  if (inputs->empty())
    return error("there is no history in these paths", "assay check FILE says why a file is none");
  if (o.shard.empty()) return inputs;
  const auto shard = sweep::parse_shard(o.shard);
  if (!shard) return shard.error();
  return sweep::part_of(*inputs, *shard);
}

Result<Exit> run_sweep(SweepArguments o) {
  const auto inputs = prepare(o);
  if (!inputs) return inputs.error();
  ResultsFile file;
  auto known = file.open(o.results);
  if (!known) return std::move(known).error();
  if (o.again) known->clear();
  std::vector<sweep::Input> left;
  std::vector<HistoryResult> results =
      sweep::results_about(*inputs, std::move(*known), sweep::asked(o.options.judge), left);
  if (!results.empty())
    warn(fmt::format("{} of {} histories were judged before ({}); --again judges them anew", results.size(),
                     inputs->size(), o.results));
  for (const HistoryResult& result : results) print(sweep::verdict_lines(result, false));

  SweepProgress progress(left);
  watch_interrupts();
  o.options.stop = was_interrupted;
  o.options.on_result = [&](const HistoryResult& result) {
    show_progress("");
    print(sweep::verdict_lines(result, !o.quiet));
    if (!result.problem.empty()) warn(result.problem);
    progress.add(result);
    file.add(result);
    results.push_back(result);
  };
  auto swept = sweep::sweep(left, o.options);
  show_progress("");
  ASSAY_TRY(std::move(swept));
  ASSAY_TRY(file.finish());

  std::ranges::sort(results, {}, [](const HistoryResult& result) { return result.input.path; });
  ASSAY_TRY(write_files(results, o.written, o.options.tool));
  print(sweep::as_table(sweep::summarise(results)));
  const Exit exit = exit_of(results);
  if (results.size() == inputs->size()) return exit;
  warn(fmt::format("interrupted: {} of {} histories are left{}", inputs->size() - results.size(),
                   inputs->size(), o.results.empty() ? "" : "; the same command goes on"));
  return exit == Exit::Holds ? Exit::Undecided : exit;
}

Result<Exit> run_merge(const MergeArguments& o) {
  std::vector<HistoryResult> results;
  std::vector<std::string> folders;  // by result
  for (const std::string& given : o.results) {
    std::error_code ignored;
    const std::string file = fs::is_directory(given, ignored) ? given + "/results.jsonl" : given;
    auto read = sweep::read_results(file);
    if (!read) return std::move(read).error();
    if (read->dropped) warn(fmt::format("{}: the last line was cut off", file));
    for (HistoryResult& result : read->all) {
      // The pages stay where they are; the index links to them.
      if (!result.page.empty())
        result.page =
            fs::proximate(fs::path(file).parent_path() / result.page,
                          o.written.folder.empty() ? fs::current_path() : fs::path(o.written.folder))
                .generic_string();
      results.push_back(std::move(result));
    }
  }
  // A history that was judged twice counts once: by the file that was named last.
  std::ranges::stable_sort(results, {},
                           [](const HistoryResult& r) { return std::tie(r.input.path, r.asked); });
  std::vector<HistoryResult> once;
  for (HistoryResult& result : results) {
    if (!once.empty() && once.back().input.path == result.input.path && once.back().asked == result.asked)
      once.back() = std::move(result);
    else once.push_back(std::move(result));
  }
  ASSAY_TRY(write_files(once, o.written, {version(), o.command}));
  for (const HistoryResult& result : once) print(sweep::verdict_lines(result, false));
  print(sweep::as_table(sweep::summarise(once)));
  return exit_of(once);
}

}  // namespace

void add_sweep(CLI::App& app, Exit& exit, const std::string& command_line) {
  auto o = std::make_shared<SweepArguments>();
  o->command = command_line;
  o->options.processes = std::max(1u, std::thread::hardware_concurrency());
  CLI::App* command = app.add_subcommand("sweep", "Judge many histories on all cores");
  command->add_option("PATH", o->paths, "Histories, and folders in which every history is judged")
      ->required();
  command->add_option("--level", o->levels, "Levels, separated by commas, or all (default: ser)")->join(',');
  command->add_option("--format", o->format, "Only histories of this format");
  add_reading_options(*command, o->options.judge.reading);
  command->add_option("--jobs", o->options.processes, "Histories at once (default: one for each core)")
      ->check(CLI::Range(1, 1024));
  command
      ->add_option("--timeout", o->options.judge.timeout,
                   "Seconds for each level of a history; then it is undecided")
      ->check(at_least_zero());
  command->add_option("--memory", o->options.judge.memory,
                      "Megabytes for each history; then it is undecided");
  command
      ->add_option("--skew", o->options.judge.skew,
                   "Nanoseconds by which the clocks of clients may differ (0)")
      ->check(at_least_zero());
  command->add_option("--report", o->written.folder,
                      "Write an index page, a page for each violation, and results.jsonl to this folder");
  command->add_option("--results", o->results, "Write the results to this file, one JSON object a line");
  command->add_option("--junit", o->written.junit, "Write the verdicts as JUnit XML, for CI");
  command->add_option("--shard", o->shard, "Only this part of the histories: 3/8 is the third of eight");
  command->add_flag("--again", o->again, "Judge what the file of results already has, too");
  command->add_flag("--quiet", o->quiet, "Print only what is violated or undecided, and the summary");
  command->footer(
      "Every history is judged in a process of its own: one that cannot be read, or needs too much memory, "
      "does not stop\n"
      "the rest. A sweep that was stopped goes on where it ended, if it has a file of results.\n\n"
      "Exits with 1 when a level is violated, else with 2 when a history could not be judged, else with 3 "
      "when a level is\n"
      "undecided.\n\n"
      "Examples:\n"
      "  assay sweep store --level si,ser --report out\n"
      "  assay sweep histories --shard 3/8 --results part-3.jsonl\n"
      "  assay merge part-*.jsonl --report out");
  command->callback([o, &exit] {
    const auto result = run_sweep(*o);
    exit = result ? *result : fail(result.error());
  });
}

void add_merge(CLI::App& app, Exit& exit, const std::string& command_line) {
  auto o = std::make_shared<MergeArguments>();
  o->command = command_line;
  CLI::App* command = app.add_subcommand("merge", "Put the results of several sweeps together");
  command->add_option("RESULTS", o->results, "Files of results, or folders that assay sweep --report wrote")
      ->required();
  command->add_option("--report", o->written.folder, "Write an index page to this folder");
  command->add_option("--junit", o->written.junit, "Write the verdicts as JUnit XML, for CI");
  command->footer("Exits as assay sweep does.\n\nExample:\n  assay merge part-*.jsonl --junit results.xml");
  command->callback([o, &exit] {
    const auto result = run_merge(*o);
    exit = result ? *result : fail(result.error());
  });
}

}  // namespace assay::cli
