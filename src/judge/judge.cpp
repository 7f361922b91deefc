#include "judge/judge.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "base/memory.h"
#include "base/stopwatch.h"
#include "check/own_evidence.h"
#include "explain/name.h"
#include "history/builder.h"
#include "history/conflicts.h"
#include "isolation/real_time.h"
#include "judge/assumed_updates.h"
#include "judge/stories.h"

namespace assay {
namespace {

CheckOptions check_options(const JudgeOptions& options, Budget& budget) {
  CheckOptions result;
  result.greedy = !options.no_greedy;
  result.lazy_choices = !options.eager_choices;
  result.saturation = !options.no_saturation;
  if (options.no_assumption) result.assumption.after = UINT64_MAX;
  result.skew = options.skew;
  result.portfolio.searches = options.threads;
  result.budget = &budget;
  return result;
}

std::size_t strength(Level level) { return implied_by(level).size(); }

// The order in which levels are judged: each before the levels that it implies.
std::vector<Level> strongest_first(std::vector<Level> chosen) {
  std::ranges::stable_sort(chosen, std::greater<>{}, strength);
  return chosen;
}

// A level that needs real time cannot be judged without usable clocks. The other levels are judged all the
// same.
template <class AnyChecker>
std::vector<Level> judged_levels(const AnyChecker& checker, const JudgeOptions& options, Findings& findings) {
  std::vector<Level> judged;
  for (const Level level : options.levels) {
    const auto possible = checker.can_judge(level);
    if (possible) judged.push_back(level);
    else findings.refused.push_back({level, possible.error()});
  }
  return judged;
}

// Calls note(finding) for each verdict. The first level's time limit includes the time spent reading.
template <class AnyChecker, class Note>
Result<void> judge_levels(AnyChecker& checker, Budget& each_level, const JudgeOptions& options,
                          Findings& findings, Note note) {
  double spent = findings.stages.front().seconds;
  const std::vector<Level> judged_here = judged_levels(checker, options, findings);
  if (judged_here.empty() && !findings.refused.empty()) return findings.refused.front().why;
  for (const Level level : strongest_first(judged_here)) {
    const auto start = std::chrono::steady_clock::now();
    each_level.restart(std::exchange(spent, 0));
    each_level.begin_task(id(level));
    auto verdict = judge_and_name(checker, level);
    if (!verdict) return std::move(verdict).error();
    findings.levels.push_back(
        {level, std::move(verdict).value(), seconds_since(start), checker.effort().searcher});
    Finding& finding = findings.levels.back();
    findings.stages.push_back({std::string(id(level)), finding.seconds});
    note(finding);
    const Judged judged{findings.history(), level,        finding.verdict,
                        finding.evidence,   options.skew, finding.seconds};
    if (is_cheap_to_certify(judged)) ASSAY_TRY(check_own_evidence(judged, options.save_to));
    if (options.on_effort) options.on_effort(level, checker.effort());
    if (options.on_verdict) options.on_verdict(finding);
  }
  const auto place = [&](const Finding& finding) {
    return std::ranges::find(options.levels, finding.level) - options.levels.begin();
  };
  std::ranges::stable_sort(findings.levels, {}, place);
  return {};
}

Result<void> judge_plain(Budget& each_level, const JudgeOptions& options, Findings& findings) {
  Checker checker(findings.history(), check_options(options, each_level));
  ASSAY_TRY(judge_levels(checker, each_level, options, findings, [](Finding&) {}));
  if (options.explain) explain_levels([&](Level) -> const Checker& { return checker; }, options, findings);
  return {};
}

Result<void> judge_predicates(Budget& each_level, const JudgeOptions& options, Findings& findings) {
  PredicateChecker checker(findings.history(), check_options(options, each_level));
  std::map<Level, std::shared_ptr<const Subject>> violated;
  ASSAY_TRY(judge_levels(checker, each_level, options, findings, [&](Finding& finding) {
    if (std::holds_alternative<Undecided>(finding.verdict)) return;
    finding.evidence = checker.section();
    if (std::holds_alternative<Violated>(finding.verdict)) violated[finding.level] = checker.subject();
  }));
  if (options.explain)
    explain_levels([&](Level level) -> const Checker& { return violated.at(level)->checker; }, options,
                   findings);
  for (Explanation& story : findings.stories)
    say_what_is_assumed(story, findings, violated.at(story.level)->supposition.assumed);
  return {};
}

Findings nothing_judged(const std::string& file, std::string_view format,
                        std::shared_ptr<const History> history, const JudgeOptions& options,
                        double reading_seconds) {
  Findings findings;
  findings.file = options.called.empty() ? file : options.called;
  findings.format = format;
  findings.judged = std::move(history);
  findings.stages = {{"reading", reading_seconds}};
  findings.skew = options.skew;
  return findings;
}

}  // namespace

Result<History> read_within_limits(const JudgeOptions& options,
                                   const std::function<Result<History>(Budget& budget)>& read) {
  // Building a history takes up to half as much additional memory as reading it did.
  const std::size_t before = resident_bytes();
  Budget whole({.seconds = options.timeout,
                .megabytes = options.memory,
                .interrupted = options.interrupted,
                .show = options.on_progress});
  Budget reading(whole, {.ask = [&](std::size_t more) {
                   const std::size_t now = resident_bytes();
                   return whole.no_room_for(more + (now > before ? (now - before) / 2 : 0));
                 }});
  whole.begin_task("reading");
  return read(reading);
}

Result<Findings> judge_file(const std::string& file, const Format* format, const JudgeOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const Format* recognised = format;
  auto history = read_within_limits(options, [&](Budget& budget) {
    return read_history(file, format, &recognised, &budget, options.reading);
  });
  const double seconds = seconds_since(start);
  if (history)
    return judge(std::make_shared<const History>(std::move(history).value()), file, recognised->id, options,
                 seconds);
  if (!history.error().is_limit) return std::move(history).error();
  Findings findings =
      nothing_judged(file, recognised == nullptr ? "" : recognised->id,
                     std::make_shared<const History>(HistoryBuilder().build().value()), options, seconds);
  for (const Level level : options.levels) {
    const Undecided why{history.error().what + " while the history was read"};
    findings.levels.push_back({level, why, seconds, {}});
    if (options.on_verdict) options.on_verdict(findings.levels.back());
  }
  return findings;
}

Result<Findings> judge(History history, const std::string& file, std::string_view format,
                       const JudgeOptions& options) {
  return judge(std::make_shared<const History>(std::move(history)), file, format, options);
}

Result<Findings> judge(std::shared_ptr<const History> history, const std::string& file,
                       std::string_view format, const JudgeOptions& options, double reading_seconds) {
  Findings findings = nothing_judged(file, format, std::move(history), options, reading_seconds);
  Budget whole({.seconds = options.in_all,
                .time_is_up = "the limit for all levels was reached",
                .megabytes = options.memory,
                .interrupted = options.interrupted,
                .show = options.on_progress});
  Budget each_level(whole, {.seconds = options.timeout});
  const auto judged = [&]() -> Result<void> {
    if (std::ranges::any_of(options.levels, [](Level level) { return row(level).needs_instants(); }))
      ASSAY_TRY(require_clock_for(findings.history(), options.skew));
    const auto judge = has_rows_or_predicates(findings.history()) ? judge_predicates : judge_plain;
    return judge(each_level, options, findings);
  }();
  if (!judged) {
    Error problem = judged.error();
    if (problem.file.empty()) problem.file = file;
    return problem;
  }
  const auto violated = [](const Finding& finding) {
    return std::holds_alternative<Violated>(finding.verdict);
  };
  if (std::ranges::none_of(findings.levels, violated))
    findings.notes = untested_isolation(findings.history(), options.skew);
  return findings;
}

}  // namespace assay
