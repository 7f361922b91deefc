#include "cli/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <sstream>

#include "check/own_evidence.h"
#include "check/predicates.h"
#include "cli/limits.h"
#include "explain/explain.h"
#include "history/builder.h"
#include "history/conflicts.h"
#include "isolation/real_time.h"

namespace assay::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

CheckOptions check_options(const JudgeOptions& options, Limits& limits) {
  CheckOptions result;
  result.greedy = !options.no_greedy;
  result.lazy_choices = !options.eager_choices;
  result.saturation = !options.no_saturation;
  if (options.no_assumption) result.assumption.after = UINT64_MAX;
  result.skew = options.skew;
  result.portfolio.searches = options.threads;
  result.stop = [&limits] { return limits.reached(); };
  return result;
}

std::ptrdiff_t strength(Level level) {
  return std::ranges::count_if(levels(), [&](const LevelRow& row) { return implies(level, row.level); });
}

// The order in which levels are judged: each before those it implies.
std::vector<Level> strongest_first(std::vector<Level> chosen) {
  std::ranges::stable_sort(chosen, std::greater<>{}, strength);
  return chosen;
}

void describe_effort(const std::string& file, Level level, const CheckEffort& effort) {
  warn(fmt::format("{}: {} decided by {}{}; {} choices, {} decisions, {} conflicts{}", file, id(level),
                   effort.decided_by, effort.searcher.empty() ? "" : fmt::format(" ({})", effort.searcher),
                   effort.choices, effort.decisions, effort.conflicts,
                   effort.chains.empty() ? "" : "; " + effort.chains) +
       (effort.executions == 1
            ? ""
            : fmt::format("; {} executions, {} reads without a value", effort.executions, effort.invisible)) +
       (effort.rows == 0 ? "" : fmt::format(", {} rows that may have been changed", effort.rows)));
}

// Levels of real time cannot be judged where nothing says what came before what. With `all` they are passed
// over; of levels that were asked for by name the others are judged nevertheless.
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

// Calls note(finding) for each as it comes. The time that reading took is the first level's.
template <class AnyChecker, class Note>
Result<void> judge_levels(AnyChecker& checker, Limits& limits, const JudgeOptions& options,
                          Findings& findings, Note note) {
  limits.end_in(options.in_all);
  double spent = findings.stages.front().seconds;
  const std::vector<Level> judged_here = judged_levels(checker, options, findings);
  if (judged_here.empty() && !findings.refused.empty()) return findings.refused.front().why;
  for (const Level level : strongest_first(judged_here)) {
    const auto start = Clock::now();
    limits.start(fmt::format("{}: judging {}", findings.file, id(level)), std::exchange(spent, 0));
    auto verdict = checker.judge(level);
    limits.finish();
    if (!verdict) return std::move(verdict).error();
    findings.levels.push_back(
        {level, std::move(verdict).value(), seconds_since(start), checker.effort().searcher});
    findings.stages.push_back({std::string(id(level)), findings.levels.back().seconds});
    if (options.verbose) describe_effort(findings.file, level, checker.effort());
    Finding& finding = findings.levels.back();
    note(finding);
    const Judged judged{findings.history, level,        finding.verdict,
                        finding.evidence, options.skew, finding.seconds};
    if (!is_cheap_to_certify(judged)) continue;
    if (options.verbose) warn(fmt::format("{}: checking the evidence about {}", findings.file, id(level)));
    ASSAY_TRY(check_own_evidence(judged, "."));
  }
  const auto place = [&](const Finding& finding) {
    return std::ranges::find(options.levels, finding.level) - options.levels.begin();
  };
  std::ranges::stable_sort(findings.levels, {}, place);
  return {};
}

std::ptrdiff_t weakness(Level level) {
  return std::ranges::count_if(levels(), [&](const LevelRow& row) { return implies(row.level, level); });
}

// The same story is told once: weak levels first, and what falls with the same part for the same reason has
// its story.
template <class CheckerOf>
void explain_levels(CheckerOf checker_of, Limits& limits, const JudgeOptions& options, Findings& findings) {
  const auto start = Clock::now();
  limits.end_in(std::nullopt);  // that was for judging
  double judging = 0;
  std::vector<Finding*> violated;
  for (Finding& finding : findings.levels) {
    judging += finding.seconds;
    if (std::holds_alternative<Violated>(finding.verdict)) violated.push_back(&finding);
  }
  const double patience = std::max(options.patience, judging);
  std::ranges::stable_sort(violated, std::greater<>{}, [](const Finding* f) { return weakness(f->level); });
  for (std::size_t i = 0; i < violated.size(); ++i) {
    Finding& finding = *violated[i];
    const auto& fell = std::get<Violated>(finding.verdict);
    const auto told = std::ranges::find_if(findings.stories, [&](const Explanation& story) {
      return story.name == anomaly_name(fell) &&
             std::ranges::find(story.rules_out, finding.level) != story.rules_out.end();
    });
    finding.story = told - findings.stories.begin();
    if (told != findings.stories.end()) continue;
    // Each has its share of what is left.
    const double until =
        seconds_since(start) + (patience - seconds_since(start)) / static_cast<double>(violated.size() - i);
    limits.start(fmt::format("{}: explaining {}", findings.file, id(finding.level)));
    const auto out_of_time = [&] { return seconds_since(start) > until || limits.reached().has_value(); };
    const auto begun = Clock::now();
    const auto give_up = [&] {
      return was_interrupted() || (options.timeout && seconds_since(begun) > 2 * *options.timeout);
    };
    findings.stories.push_back(
        explain(checker_of(finding.level), finding.level, fell, {out_of_time, give_up}));
    limits.finish();
  }
  if (!violated.empty()) findings.stages.push_back({"explaining", seconds_since(start)});
}

Result<void> judge_plain(const History& history, Limits& limits, const JudgeOptions& options,
                         Findings& findings) {
  Checker checker(history, check_options(options, limits));
  ASSAY_TRY(judge_levels(checker, limits, options, findings, [](Finding&) {}));
  if (options.explain)
    explain_levels([&](Level) -> const Checker& { return checker; }, limits, options, findings);
  return {};
}

// Of the keys that the story names: what it takes updates to have done, of which only the statement is known.
std::vector<std::string> supposed_in(const History& history, const Explanation& story,
                                     const std::vector<Truth>& supposed) {
  std::set<std::string> keys;
  for (const OpId op : story.part.operations()) keys.insert(story.part.display(story.part.key(op)));
  const auto listed = [&](TxnId t, bool took) {
    std::string list;
    for (const Truth& truth : supposed)
      if (truth.took == took && history.operations(t).first <= truth.op &&
          truth.op < history.operations(t).last && keys.contains(history.display(truth.key)))
        list += (list.empty() ? "" : ", ") + history.display(truth.key);
    return list;
  };
  std::vector<std::string> sentences;
  for (const TxnId t : story.origin) {
    const std::string took = listed(t, true), left = listed(t, false);
    if (took.empty() && left.empty()) continue;
    sentences.push_back(fmt::format("Which rows the update of {} changed is not known; here it {}{}{}{}{}.",
                                    history.display(t), took.empty() ? "" : "changed ", took,
                                    took.empty() || left.empty() ? "" : ", ",
                                    left.empty() ? "" : "left alone ", left));
  }
  if (!sentences.empty())
    sentences.push_back("Whatever it was, the level is violated: the certificate says why.");
  return sentences;
}

// With something else supposed the part might break other levels, and keep others.
void claim_only_what_was_found(Explanation& story, const std::vector<Finding>& found) {
  std::erase_if(story.rules_out, [&](Level level) {
    return std::ranges::none_of(found, [&](const Finding& f) {
      return std::holds_alternative<Violated>(f.verdict) && implies(level, f.level);
    });
  });
  story.still_hold.clear();
}

Result<void> judge_predicates(const History& history, Limits& limits, const JudgeOptions& options,
                              Findings& findings) {
  PredicateChecker checker(history, check_options(options, limits));
  std::map<Level, std::shared_ptr<const Subject>> violated;
  ASSAY_TRY(judge_levels(checker, limits, options, findings, [&](Finding& finding) {
    if (std::holds_alternative<Undecided>(finding.verdict)) return;
    finding.evidence = checker.section();
    if (std::holds_alternative<Violated>(finding.verdict)) violated[finding.level] = checker.subject();
  }));
  if (options.explain)
    explain_levels([&](Level level) -> const Checker& { return violated.at(level)->checker; }, limits,
                   options, findings);
  for (Explanation& story : findings.stories) {
    story.supposed = supposed_in(history, story, violated.at(story.level)->supposition.assumed);
    if (!story.supposed.empty()) claim_only_what_was_found(story, findings.levels);
  }
  return {};
}

// Building a history takes up to half as much memory again as reading it took.
ReadLimit reading_limit(Limits& limits) {
  const std::size_t before = resident_bytes();
  return [&limits, before](std::size_t bytes) {
    const std::size_t now = resident_bytes();
    return limits.reached(bytes + (now > before ? (now - before) / 2 : 0));
  };
}

}  // namespace

Result<std::vector<Level>> chosen_levels(const std::string& names, bool& all) {
  std::vector<Level> chosen;
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, ',');) {
    if (name == "all") {
      all = true;
      for (const LevelRow& level : levels()) chosen.push_back(level.level);
      continue;
    }
    const auto level = find_level(name);
    if (!level) return error(fmt::format("unknown level {}", name), "assay levels lists them");
    chosen.push_back(*level);
  }
  if (chosen.empty()) return error("no level is given", "assay levels lists them");
  return chosen;
}

Result<JudgedFile> JudgedFile::judge(const std::string& file, const Format* format,
                                     const JudgeOptions& options) {
  const auto start = Clock::now();
  const Format* recognised = nullptr;
  Limits limits(options.timeout, options.memory);
  limits.start(fmt::format("{}: reading", file));
  auto history = read_history(file, format, &recognised, reading_limit(limits));
  limits.finish();
  if (history) return judge(std::move(history).value(), file, recognised->id, options, seconds_since(start));
  if (history.error().is_limit)
    return unread(file, recognised, options, history.error().what, seconds_since(start));
  return std::move(history).error();
}

JudgedFile JudgedFile::unread(const std::string& file, const Format* format, const JudgeOptions& options,
                              const std::string& why, double seconds) {
  JudgedFile result;
  result.history_ = std::make_unique<History>(HistoryBuilder().build().value());
  result.findings_.reset(new Findings{options.called.empty() ? file : options.called,
                                      std::string(format == nullptr ? "" : format->id),
                                      *result.history_,
                                      {},
                                      {},
                                      {{"reading", seconds}},
                                      options.skew});
  for (const Level level : options.levels)
    result.findings_->levels.push_back({level, Undecided{why + " while the history was read"}, seconds, {}});
  return result;
}

Result<JudgedFile> JudgedFile::judge(History history, const std::string& file, std::string_view format,
                                     const JudgeOptions& options, double reading_seconds) {
  JudgedFile result;
  result.history_ = std::make_unique<History>(std::move(history));
  result.findings_.reset(new Findings{options.called.empty() ? file : options.called,
                                      std::string(format),
                                      *result.history_,
                                      {},
                                      {},
                                      {{"reading", reading_seconds}},
                                      options.skew});
  Limits limits(options.timeout, options.memory);
  const auto judged = [&]() -> Result<void> {
    if (std::ranges::any_of(options.levels, [](Level level) { return row(level).needs_instants; }))
      ASSAY_TRY(require_clock_for(*result.history_, options.skew));
    const auto judge = has_rows_or_predicates(*result.history_) ? judge_predicates : judge_plain;
    return judge(*result.history_, limits, options, *result.findings_);
  }();
  if (!judged) {
    Error problem = judged.error();
    if (problem.file.empty()) problem.file = file;
    return problem;
  }
  Findings& findings = *result.findings_;
  const auto violated = [](const Finding& finding) {
    return std::holds_alternative<Violated>(finding.verdict);
  };
  if (std::ranges::none_of(findings.levels, violated))
    findings.notes = untested_isolation(findings.history, options.skew);
  return result;
}

}  // namespace assay::cli
