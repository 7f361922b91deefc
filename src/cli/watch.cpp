// `assay watch`: judges a stream of transactions as it grows, for as long as it grows.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>

#include "base/memory.h"
#include "base/printable.h"
#include "base/stopwatch.h"
#include "cli/interrupt.h"
#include "cli/watch.h"
#include "history_io/format.h"
#include "isolation/level_list.h"
#include "report/text.h"
#include "watch/metrics.h"
#include "watch/sources.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using watch::Supply;

constexpr std::size_t kSmallestBatch = 20'000;          // lines, when they arrive faster than they are judged
constexpr std::size_t kTimesKept = 2;                   // a batch has so many times the lines that are kept
constexpr double kBetweenJudgements = 0.5;              // seconds, when they do not
constexpr std::int64_t kLeastPatience = 1'000'000'000;  // nanoseconds, unless --patience says less
constexpr double kBetweenStatus = 1, kBetweenStates = 2;
constexpr std::size_t kMostNotes = 20;  // of one kind, each named; then they are only counted

// A duration in nanoseconds, or a number of transactions.
struct Extent {
  std::int64_t amount;
  bool counts_transactions;
};

Result<Extent> parse_extent(const std::string& text, const char* option) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  std::int64_t factor = 0;
  if (unit.empty()) factor = 1;
  else if (unit == "ns") factor = 1;
  else if (unit == "us") factor = 1'000;
  else if (unit == "ms") factor = 1'000'000;
  else if (unit == "s") factor = 1'000'000'000;
  else if (unit == "min") factor = 60'000'000'000;
  if (problem != std::errc() || factor == 0 || number < 0 || number > INT64_MAX / 8 / factor)
    return error(fmt::format("{} {} is no duration", option, text),
                 "like 1s, 500ms or 2min; or like 10000, which counts transactions");
  return Extent{number * factor, unit.empty()};
}

class Watcher : public StreamWatcher {
 public:
  explicit Watcher(const WatchArguments& arguments) : o_(arguments) {}

  Result<Step> step(double seconds) override {
    auto read = source_->read(room(), seconds, [this](std::string_view line) { take(line); });
    if (!read) return std::move(read).error();
    for (const std::string& what : source_->take_notes()) say("warning: " + what);
    has_ended_ = *read == Supply::End || (o_.once && *read == Supply::CaughtUp);
    ASSAY_TRY(judge_if_due(*read));
    show();
    if (done_ || has_ended_) return Step::Done;
    return *read == Supply::More ? Step::More : Step::CaughtUp;
  }

  Result<Exit> finish(bool ended) override {
    if (!done_ && (has_ended_ || ended)) {
      source_->finish([this](std::string_view line) { take(line); });
      ASSAY_TRY(judge(true));
    }
    show(true);
    ASSAY_TRY(save_state(true));
    show_progress("");
    say(watch::status_line(status()));
    say_what_was_left();
    return exit_code();
  }

  Result<void> prepare() {
    auto horizon = parse_extent(o_.horizon, "--horizon");
    if (!horizon) return std::move(horizon).error();
    const auto chosen = level_named(o_.level);
    if (!chosen) return chosen.error();
    asked_ = *chosen;
    options_.level = in_real_time(*chosen);
    ASSAY_TRY(watch::can_forget_at(options_.level));
    options_.horizon = horizon->amount;
    options_.patience = std::max(horizon->amount, kLeastPatience);
    options_.by_position = horizon->counts_transactions;
    if (options_.by_position) options_.patience = 0;
    if (!o_.patience.empty()) {
      auto patience = parse_extent(o_.patience, "--patience");
      if (!patience) return std::move(patience).error();
      if (patience->counts_transactions != options_.by_position)
        return error("--patience and --horizon have different units",
                     "a duration, or a number of transactions");
      options_.patience = patience->amount;
    }
    options_.judge.timeout = o_.timeout;
    options_.judge.memory = o_.memory;
    options_.judge.interrupted = &watch_interrupts();
    options_.judge.patience = 1;
    options_.judge.least_for_explaining = 1;
    options_.judge.save_to.clear();
    watch_ = std::make_unique<watch::Watch>(
        options_, [this](const watch::Violation& found) { report(found); },
        [this](std::uint64_t position, const std::string& what) { note(position, what); });
    auto source = watch::open_source(o_.source, options_.by_position ? INT64_MAX : options_.patience);
    if (!source) return std::move(source).error();
    source_ = std::move(*source);
    if (!o_.state.empty()) ASSAY_TRY(load_state());
    return {};
  }

  void say_what_is_assumed() const {
    if (o_.quiet) return;
    const std::string unit = options_.by_position ? " transactions" : " ns";
    say(fmt::format(
        "watching {} at {} with a horizon of {}: {}", o_.source, id(asked_), o_.horizon,
        options_.by_position
            ? fmt::format("a transaction that is reported more than {}{} after another comes after it",
                          options_.horizon, unit)
            : "a transaction that began more than that after another ended comes after it"));
    if (!options_.by_position)
      say(fmt::format("assumed: each transaction is reported at most {} after it began",
                      !o_.patience.empty()                ? o_.patience
                      : options_.horizon < kLeastPatience ? "1s"
                                                          : o_.horizon));
  }

 private:
  std::size_t batch() const {
    return o_.batch > 0 ? o_.batch
                        : std::max(kSmallestBatch, kTimesKept * (watch_->window().size() - watch_->added()));
  }
  std::size_t room() const {
    const std::size_t full = batch();
    return full > watch_->added() ? full - watch_->added() : 1;
  }

  void take(std::string_view line) {
    ++position_;
    if (line.find_first_not_of(" \t") == std::string_view::npos) return;
    if (!seen_line_ && line.find("\"assay\"") != std::string_view::npos &&
        line.find("\"ops\"") == std::string_view::npos) {
      seen_line_ = true;
      if (const auto set = watch_->set_header(line); !set) note(position_, set.error().what);
      return;
    }
    seen_line_ = true;
    if (watch_->added() == 0) first_arrived_ = std::chrono::steady_clock::now();
    watch_->add(line, position_);
  }

  // Twice as many lines as are kept cost one and a half times what one pass over the stream costs. Fewer are
  // judged when the source has no more for now.
  Result<void> judge_if_due(Supply supply) {
    if (watch_->window().size() == 0 || (watch_->added() == 0 && watch_->waiting().empty())) return {};
    const bool is_full = watch_->added() >= batch();
    const bool is_time = o_.batch == 0 && supply == Supply::CaughtUp &&
                         seconds_since(judged_at_) >= std::max(kBetweenJudgements, 2 * judging_seconds_);
    if (!is_full && !is_time) return {};
    return judge(false);
  }

  Result<void> judge(bool at_end) {
    const auto start = std::chrono::steady_clock::now();
    ASSAY_TRY(watch_->judge(at_end));
    if (watch_->latest()) source_->reached(*watch_->latest());
    judging_seconds_ = seconds_since(start);
    delay_ = std::max(delay_, seconds_since(first_arrived_));
    judged_at_ = std::chrono::steady_clock::now();
    if (o_.memory && resident_bytes() > *o_.memory << 20) {
      say(fmt::format("the limit of {} MB was reached: what is kept cannot be forgotten yet", *o_.memory));
      done_ = out_of_memory_ = true;
    }
    return save_state(false);
  }

  void report(const watch::Violation& found) {
    show_progress("");
    const std::uint64_t last = found.positions.empty() ? position_ : found.positions.back();
    const std::string file = write_witness(found, last);
    const Findings& findings = found.findings;
    std::string name = "unnamed";
    if (!findings.stories.empty()) name = findings.stories.front().name;
    if (o_.json) {
      std::string lines;
      for (const std::uint64_t position : found.positions)
        lines += fmt::format("{}{}", lines.empty() ? "" : ",", position);
      std::string quoted;
      print_json_string(file, quoted);
      print(fmt::format(
          "{{\"violated\":\"{}\",\"anomaly\":\"{}\",\"line\":{},\"lines\":[{}],\"history\":{}}}\n",
          id(asked_), name, last, lines, quoted));
    } else {
      print(fmt::format("{}\t{}\tviolated\tline {}\t{}\n", printable(o_.source), id(asked_), last, name));
      if (found.is_old_read)
        print("Nobody wrote this value within the horizon: it is older than that, or was never written.\n");
      if (!o_.quiet && !findings.stories.empty()) print(as_text(findings, TextStyle{}));
      if (!file.empty()) print(fmt::format("the history of it: {}\n", printable(file)));
    }
    std::fflush(stdout);
    done_ |= o_.stop;
  }

  // A name by the position: a run that goes on from a saved state writes the same file again.
  std::string write_witness(const watch::Violation& found, std::uint64_t last) {
    if (found.findings.stories.empty()) return {};
    std::error_code ignored;
    fs::create_directories(o_.violations, ignored);
    const std::string file = fmt::format("{}/violation-{}.jsonl", o_.violations, last);
    const auto written = write_history(found.findings.stories.front().part, file, *find_format("jsonl"));
    if (written) return file;
    fail(written.error());
    return {};
  }

  void note(std::uint64_t position, const std::string& what) {
    if (++notes_ == kMostNotes + 1) return say("further lines like these are only counted");
    if (notes_ > kMostNotes) return;
    show_progress("");
    say(fmt::format("{}:{}: {}", o_.source, position, what));
  }
  static void say(const std::string& text) { warn(text); }

  watch::Status status() {
    const watch::Counters& c = watch_->counters();
    const std::uint64_t all = c.committed + c.aborted + c.unknown;
    const double now = seconds_since(start_);
    if (now - rated_at_ >= kBetweenStatus / 2) {
      rate_ = static_cast<double>(all - rated_) / (now - rated_at_);
      rated_ = all;
      rated_at_ = now;
    }
    return {c,
            watch_->window().size(),
            watch_->waiting().size(),
            watch_->window().keys(),
            source_->bytes_behind(),
            now,
            rate_,
            delay_,
            resident_bytes()};
  }

  void show(bool now = false) {
    if (!now && seconds_since(shown_at_) < kBetweenStatus) return;
    shown_at_ = std::chrono::steady_clock::now();
    const watch::Status so_far = status();
    delay_ = 0;
    if (!o_.quiet) show_progress(watch::status_line(so_far));
    if (o_.metrics.empty()) return;
    if (const auto written = replace(o_.metrics, watch::metrics_text(so_far, id(asked_))); !written)
      fail(written.error());
  }

  // A reader sees the old text or the new one.
  static Result<void> replace(const std::string& file, std::string_view text) {
    const std::string fresh = file + ".new";
    ASSAY_TRY(write_text(fresh, text));
    std::error_code problem;
    fs::rename(fresh, file, problem);
    if (problem) return error(fmt::format("cannot write {}: {}", file, problem.message()));
    return {};
  }

  // --- The state ---

  std::string request() const {
    return fmt::format("assay watch 1 {} {} {} {}", id(options_.level), options_.horizon, options_.patience,
                       options_.by_position ? "transactions" : "ns");
  }

  Result<void> save_state(bool now) {
    if (o_.state.empty() || (!now && seconds_since(saved_at_) < kBetweenStates && o_.batch == 0)) return {};
    if (watch_->added() > 0) return {};  // they will be read again
    saved_at_ = std::chrono::steady_clock::now();
    std::string text =
        request() + "\n" + fmt::format("{} {}\n", position_, seen_line_ ? 1 : 0) + source_->place() + "\n";
    watch_->save(text);
    return replace(o_.state, text);
  }

  Result<void> load_state() {
    if (source_->place().empty())
      return error("--state needs a source that can be read again", "a file or a directory of journals");
    std::error_code ignored;
    if (!fs::exists(o_.state, ignored)) return {};
    auto source = ByteSource::open(o_.state);
    if (!source) return std::move(source).error();
    const auto next = [&](std::string_view& line) { return source->next_line(line); };
    const auto load = [&]() -> Result<void> {
      std::string_view line;
      if (!next(line) || line != request())
        return error("this state is of another request: " + std::string(line), "use another file");
      int seen = 0;
      if (!next(line)) return error("the state is cut off", "remove it to begin anew");
      std::from_chars(line.data(), line.data() + line.size(), position_);
      seen = line.ends_with('1') ? 1 : 0;
      seen_line_ = seen != 0;
      if (!next(line)) return error("the state is cut off", "remove it to begin anew");
      ASSAY_TRY(source_->go_on_from(std::string(line)));
      return watch_->load(next);
    };
    if (auto loaded = load(); !loaded) {
      Error problem = loaded.error();
      problem.file = o_.state;
      return problem;
    }
    return {};
  }

  void say_what_was_left() const {
    const watch::Counters& c = watch_->counters();
    if (c.late > 0)
      say(fmt::format("{} transactions were reported too late to be judged: a longer --patience would wait",
                      c.late));
    if (c.not_judged > 0)
      say(fmt::format("{} reads of what late or retired transactions wrote were not judged", c.not_judged));
    if (!watch_->waiting().empty())
      say(fmt::format("{} transactions still wait for a writer to be reported", watch_->waiting().size()));
  }

  Exit exit_code() const {
    const watch::Counters& c = watch_->counters();
    if (c.violations > 0) return Exit::Found;
    if (c.malformed > 0) return Exit::Bad;
    return c.undecided > 0 || out_of_memory_ ? Exit::Undecided : Exit::Holds;
  }

  const WatchArguments& o_;
  Level asked_ = Level::Ser;
  watch::WatchOptions options_;
  std::unique_ptr<watch::Watch> watch_;
  std::unique_ptr<watch::LineSource> source_;
  std::uint64_t position_ = 0;  // of the last line
  bool seen_line_ = false, done_ = false, out_of_memory_ = false, has_ended_ = false;
  std::size_t notes_ = 0;
  double judging_seconds_ = 0, delay_ = 0, rate_ = 0, rated_at_ = 0;
  std::uint64_t rated_ = 0;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point judged_at_ = start_, shown_at_ = start_, saved_at_ = start_,
                                        first_arrived_ = start_;
};

Result<Exit> watch_source(const WatchArguments& o) {
  const auto& interrupted = watch_interrupts();
  auto watcher = StreamWatcher::open(o);
  if (!watcher) return std::move(watcher).error();
  while (!interrupted) {
    const auto stepped = (*watcher)->step(0.2);
    if (!stepped) return stepped.error();
    if (*stepped == StreamWatcher::Step::Done) break;
  }
  return (*watcher)->finish();
}

Exit run(const WatchArguments& o) {
  const auto done = watch_source(o);
  return done ? *done : fail(done.error());
}

}  // namespace

Level in_real_time(Level level) {
  if (level == Level::Ser) return Level::StrictSer;
  if (level == Level::Si) return Level::StrongSi;
  return level;
}

Result<std::unique_ptr<StreamWatcher>> StreamWatcher::open(const WatchArguments& arguments) {
  auto watcher = std::make_unique<Watcher>(arguments);
  ASSAY_TRY(watcher->prepare());
  watcher->say_what_is_assumed();
  return std::unique_ptr<StreamWatcher>(std::move(watcher));
}

void add_watch(CLI::App& app, Exit& exit) {
  auto o = std::make_shared<WatchArguments>();
  CLI::App* command =
      app.add_subcommand("watch", "Judge a stream of transactions as it grows, within bounded memory");
  command
      ->add_option("SOURCE", o->source,
                   "A growing file in the native format, a directory of journals of assay run, or - for "
                   "standard input")
      ->required();
  command->add_option("--level", o->level, "ser or si, within the horizon (ser)");
  command->add_option(
      "--horizon", o->horizon,
      "A transaction that began longer after another ended comes after it: like 1s, 500ms; or a "
      "number of transactions, for streams without instants (1s)");
  command->add_option(
      "--patience", o->patience,
      "How long after its begin a transaction may be reported (as long as the horizon, but at least 1s)");
  command->add_flag("--stop", o->stop, "Stop at the first violation");
  command->add_flag("--once", o->once, "Stop at the end of what is there, instead of waiting for more");
  command->add_option("--violations", o->violations, "Directory for the histories of violations (.)");
  command->add_option("--metrics", o->metrics,
                      "Keep numbers about the run there, in Prometheus' text format");
  command->add_option("--state", o->state, "Keep there what a restart needs to go on");
  command->add_option("--timeout", o->timeout, "Seconds for judging the window once; then it is undecided")
      ->check(at_least_zero());
  command->add_option("--memory", o->memory, "Megabytes of resident memory; then it stops");
  command->add_option("--batch", o->batch,
                      "Judge after exactly so many lines, to repeat a run (0: as they come)");
  command->add_flag("--json", o->json, "One JSON object for each violation");
  command->add_flag("--quiet", o->quiet, "No explanations and no status");
  command->footer(
      "The answer about each prefix is that of assay check --level strict-ser (or strong-si) --skew "
      "HORIZON.\n"
      "docs/watch.md says what is forgotten, and why that is sound.\n\n"
      "Examples:\n"
      "  assay watch --level ser --horizon 1s history.jsonl\n"
      "  my-recorder | assay watch --level si --horizon 200ms --stop -\n"
      "  assay watch --horizon 10000 --once without-clocks.jsonl\n"
      "  assay watch --state watch.state --metrics /var/lib/node/assay.prom OUT.journals\n"
      "  assay generate --txns 1000000 --keys 100000 - | assay watch --horizon 100ms -");
  command->callback([o, &exit] { exit = run(*o); });
}

}  // namespace assay::cli
