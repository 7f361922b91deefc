#include "replay/replay.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "replay/run.h"

namespace assay::replay {
namespace {

// Tries of one anomaly, over its witnesses and their schedules.
constexpr std::size_t kMostTries = 9;
// More transactions have too many orders to try them all.
constexpr std::size_t kMostCalls = 5;

std::string today() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(now));
}

using Schedule = std::vector<analysis::Step>;

// The predicted one; all statements before all commits; the statements in turns.
std::vector<Schedule> schedules(const analysis::FoundAnomaly& anomaly) {
  using Kind = analysis::Step::Kind;
  std::vector<Schedule> all{anomaly.schedule};
  Schedule late = anomaly.schedule;
  std::ranges::stable_partition(late,
                                [](const analysis::Step& step) { return step.kind == Kind::Statement; });
  Schedule in_turns, commits;
  std::vector<Schedule> by_call(anomaly.calls.size());
  for (const analysis::Step& step : anomaly.schedule)
    (step.kind == Kind::Commit ? commits : by_call[step.call]).push_back(step);
  for (std::size_t i = 0; std::ranges::any_of(by_call, [&](const Schedule& s) { return i < s.size(); }); ++i)
    for (const Schedule& own : by_call)
      if (i < own.size()) in_turns.push_back(own[i]);
  in_turns.insert(in_turns.end(), commits.begin(), commits.end());
  const auto same = [](const Schedule& a, const Schedule& b) {
    return std::ranges::equal(a, b, [](const analysis::Step& x, const analysis::Step& y) {
      return x.kind == y.kind && x.call == y.call && x.statement == y.statement;
    });
  };
  for (Schedule& other : std::array{late, in_turns})
    if (std::ranges::none_of(all, [&](const Schedule& s) { return same(s, other); }))
      all.push_back(std::move(other));
  return all;
}

std::string names_of(const std::vector<std::size_t>& order) {
  std::string text;
  for (const std::size_t t : order) text += fmt::format("{}T{}", text.empty() ? "" : ", ", t + 1);
  return text;
}

}  // namespace

struct Stage::Parts {
  Parts(OwnDatabase database, sql::Written files)
      : own(std::move(database)), written(std::move(files)), gates(written, own.name()) {}

  OwnDatabase own;
  sql::Written written;
  Gates gates;
  std::optional<State> state;
  std::string no_schema;  // why the schema cannot be made there

  Replayed attempt(const sql::Application& application, const analysis::FoundAnomaly& anomaly,
                   const Schedule& schedule, const std::vector<PreparedCall>& calls,
                   const std::vector<PlacedRow>& rows);
  Replayed witness(const sql::Application& application, const analysis::FoundAnomaly& anomaly,
                   std::size_t tries_left, std::size_t& tries);
};

namespace {

Replayed impossible(std::string why) { return {Replayed::Kind::Impossible, std::move(why)}; }

// Whether what happened is what some serial order does.
class Judge {
 public:
  Judge(State& state, Run& run, const std::vector<PreparedCall>& calls, const std::vector<PlacedRow>& rows,
        const Outcome& seen)
      : state_(state), run_(run), rows_(rows), blur_(state.small_sequences(), today()), seen_(blur_(seen)) {
    for (const PreparedCall& call : calls) names_.push_back(call.name);
    for (std::size_t t = 0; t < seen.told.size(); ++t)
      if (seen.told[t].committed) order_.push_back(t);
  }

  Replayed run() {
    if (order_.size() > kMostCalls)
      return impossible(fmt::format("{} transactions have too many serial orders", order_.size()));
    const std::string failed = failures();
    std::vector<std::size_t> order = order_;
    std::vector<std::pair<std::string, std::string>> differences;  // and the orders that have them
    do {
      const auto other = serially(order, rows_, 0);
      if (!other) return impossible(other.error().what);
      const auto again = serially(order, rows_, kShift);
      if (!again) return impossible(again.error().what);
      if (const auto chance = difference(*other, *again, names_))
        return impossible(
            fmt::format("the same calls, one after the other in the order {}, do not always do the same: {}",
                        names_of(order), *chance));
      const std::vector<PlacedRow> turned(rows_.rbegin(), rows_.rend());
      const auto from_behind = serially(order, turned, 0);
      if (!from_behind) return impossible(from_behind.error().what);
      const auto differs = difference(seen_, *other, names_);
      if (!differs || !difference(seen_, *from_behind, names_))
        return {Replayed::Kind::NotReproduced,
                failed.empty() ? fmt::format("all transactions committed, and one after the other in the "
                                             "order {} they see and leave the same",
                                             names_of(order))
                               : failed};
      const auto told = std::ranges::find(differences, *differs, &std::pair<std::string, std::string>::first);
      if (told == differences.end()) differences.emplace_back(*differs, names_of(order));
      else told->second += "; " + names_of(order);
    } while (std::ranges::next_permutation(order).found);
    std::string story;
    for (const auto& [what, orders] : differences)
      story += fmt::format("in the order {}: {}\n", orders, what);
    std::string why = fmt::format(
        "{}, and no serial order of {} gives what they saw and left",
        failed.empty() ? "all transactions committed" : fmt::format("{} committed", names_of(order_)),
        failed.empty() ? "them" : "these");
    if (!failed.empty()) why += " (" + failed + ")";
    return {Replayed::Kind::Confirmed, std::move(why), std::move(story)};
  }

 private:
  static constexpr long long kShift = 4321;

  std::string failures() const {
    std::string text;
    for (std::size_t t = 0; t < seen_.told.size(); ++t)
      if (!seen_.told[t].committed)
        text +=
            fmt::format("{}{} did not commit: {}", text.empty() ? "" : "; ", names_[t], seen_.told[t].why);
    return text;
  }

  Result<Outcome> serially(const std::vector<std::size_t>& order, const std::vector<PlacedRow>& rows,
                           long long shift) {
    ASSAY_TRY(state_.reset(rows, shift));
    auto outcome = run_.serially(order);
    if (!outcome) return outcome;
    return blur_(std::move(*outcome));
  }

  State& state_;
  Run& run_;
  const std::vector<PlacedRow>& rows_;
  const Blur blur_;
  const Outcome seen_;
  std::vector<std::string> names_;
  std::vector<std::size_t> order_;  // those that committed
};

}  // namespace

Replayed Stage::Parts::attempt(const sql::Application& application, const analysis::FoundAnomaly& anomaly,
                               const Schedule& schedule, const std::vector<PreparedCall>& calls,
                               const std::vector<PlacedRow>& rows) {
  if (const auto reset = state->reset(rows); !reset)
    return {Replayed::Kind::NotReproduced, "these rows are no possible state: " + reset.error().what};
  Run run(own, *state, application, written, gates, calls);
  const auto seen = run.concurrently(anomaly, schedule);
  if (!seen) return impossible(seen.error().what);
  for (std::size_t t = 0; t < calls.size(); ++t)
    if (!seen->told[t].committed && cannot_run(seen->told[t].state) && !seen->told[t].state.empty())
      return impossible(fmt::format("{}: {}", calls[t].name, seen->told[t].why));
  return Judge(*state, run, calls, rows, *seen).run();
}

// With each of its schedules.
Replayed Stage::Parts::witness(const sql::Application& application, const analysis::FoundAnomaly& anomaly,
                               std::size_t tries_left, std::size_t& tries) {
  std::vector<PreparedCall> calls;
  for (std::size_t t = 0; t < anomaly.calls.size(); ++t) {
    auto call = prepare_call(*state, written, application, anomaly, t);
    if (!call) return impossible(call.error().what);
    calls.push_back(std::move(*call));
  }
  auto rows = state->placed(application, anomaly.initial_rows);
  if (!rows) return impossible(rows.error().what);
  const auto parents = state->parents(*rows, [&](SqlSession& session) {
    std::vector<Told> told(calls.size());
    for (const PreparedCall& call : calls) {
      (void)session.run("SAVEPOINT one_call");
      if (!call.function || session.run(call.sql) != Reply::Done) (void)session.run("ROLLBACK TO one_call");
    }
  });
  if (!parents) return impossible(parents.error().what);
  rows->insert(rows->end(), parents->begin(), parents->end());
  Replayed last;
  for (const Schedule& schedule : schedules(anomaly)) {
    if (tries == tries_left) break;
    ++tries;
    Replayed now = attempt(application, anomaly, schedule, calls, *rows);
    if (now.kind != Replayed::Kind::NotReproduced) return now;
    last.attempts.push_back(now.why);
    // The rows are the same for every schedule.
    if (now.why.starts_with("these rows")) break;
  }
  return last;
}

Stage::Stage(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Stage::Stage(Stage&&) noexcept = default;
Stage::~Stage() = default;

const std::string& Stage::database() const { return parts_->own.version(); }

Result<Stage> Stage::open(const std::string& where, const std::vector<sql::SourceFile>& files) {
  auto written = sql::as_written(files);
  if (!written) return std::move(written).error();
  auto own = OwnDatabase::open(where);
  if (!own) return std::move(own).error();
  auto parts = std::make_unique<Parts>(std::move(*own), std::move(*written));
  if (parts->own.is_schema())
    for (const sql::SourceFile& file : files) {
      auto outside = parts->own.names_outside(file.text);
      if (!outside) return std::move(outside).error();
      if (!outside->empty()) parts->no_schema = *outside;
    }
  if (parts->no_schema.empty()) {
    auto state = State::create(parts->own, parts->written, parts->gates);
    if (state) parts->state = std::move(*state);
    else parts->no_schema = state.error().what;
  }
  return Stage(std::move(parts));
}

Result<Replayed> Stage::replay(const sql::Application& application, const analysis::FoundAnomaly& anomaly) {
  for (const analysis::Call& call : anomaly.calls)
    if (!postgres_level(call.level))
      return impossible(fmt::format(
          "PostgreSQL has rc, si and ser, but not {}",
          call.level == analysis::StoreLevel::Written ? "a level of one's own" : analysis::id(call.level)));
  if (!parts_->no_schema.empty()) return impossible(parts_->no_schema);
  std::vector<const analysis::FoundAnomaly*> witnesses{&anomaly};
  for (const analysis::FoundAnomaly& other : anomaly.others) witnesses.push_back(&other);
  Replayed all;
  std::size_t tries = 0;
  for (const analysis::FoundAnomaly* witness : witnesses) {
    if (tries == kMostTries) break;
    Replayed now = parts_->witness(application, *witness, kMostTries, tries);
    if (now.kind != Replayed::Kind::NotReproduced) {
      now.attempts.insert(now.attempts.begin(), all.attempts.begin(), all.attempts.end());
      return now;
    }
    all.attempts.insert(all.attempts.end(), now.attempts.begin(), now.attempts.end());
  }
  std::vector<std::string> reasons;
  for (const std::string& reason : all.attempts)
    if (std::ranges::find(reasons, reason) == reasons.end()) reasons.push_back(reason);
  all.why = fmt::format("{} (tried {})", fmt::join(reasons, "; "),
                        tries == 1 ? "once" : fmt::format("{} times", tries));
  return all;
}

Result<Replays> replay_all(const std::string& where, const std::vector<sql::SourceFile>& files,
                           const sql::Application& application,
                           const std::vector<analysis::FoundAnomaly>& anomalies, const GoOn& go_on) {
  auto stage = Stage::open(where, files);
  if (!stage) return std::move(stage).error();
  Replays replays{stage->database(), {}};
  for (const analysis::FoundAnomaly& anomaly : anomalies) {
    if (!go_on(replays.anomalies.size(), anomalies.size())) return error("interrupted");
    auto replayed = stage->replay(application, anomaly);
    if (!replayed) return std::move(replayed).error();
    replays.anomalies.push_back(std::move(*replayed));
  }
  return replays;
}

}  // namespace assay::replay
