#include "judge/stories.h"

#include <algorithm>
#include <chrono>

#include "base/stopwatch.h"
#include "explain/explain.h"

namespace assay {
namespace {

std::ptrdiff_t weakness(Level level) {
  return std::ranges::count_if(levels(), [&](const LevelRow& row) { return implies(row.level, level); });
}

// Weak levels come first, because their explanations are the most specific.
std::vector<Finding*> violated_levels(Findings& findings) {
  std::vector<Finding*> violated;
  for (Finding& finding : findings.levels)
    if (std::holds_alternative<Violated>(finding.verdict)) violated.push_back(&finding);
  std::ranges::stable_sort(violated, std::greater<>{}, [](const Finding* f) { return weakness(f->level); });
  return violated;
}

// What judging a level has left of its time limit.
std::optional<double> seconds_left(const JudgeOptions& options, const Finding& finding) {
  if (!options.timeout) return std::nullopt;
  return std::max(options.least_for_explaining, *options.timeout - finding.seconds);
}

}  // namespace

void explain_levels(const CheckerOf& checker_of, const JudgeOptions& options, Findings& findings) {
  const auto start = std::chrono::steady_clock::now();
  double judging = 0;
  for (const Finding& finding : findings.levels) judging += finding.seconds;
  const double patience = std::max(options.patience, judging);
  const std::vector<Finding*> violated = violated_levels(findings);
  Budget whole({.interrupted = options.interrupted, .show = options.on_progress});
  for (std::size_t i = 0; i < violated.size(); ++i) {
    Finding& finding = *violated[i];
    whole.begin_task("explaining");
    const auto& verdict = std::get<Violated>(finding.verdict);
    const auto told = std::ranges::find_if(findings.stories, [&](const Explanation& story) {
      return story.name == anomaly_name(verdict) &&
             std::ranges::find(story.rules_out, finding.level) != story.rules_out.end();
    });
    finding.story = told - findings.stories.begin();
    if (told != findings.stories.end()) continue;
    // Each explanation gets an equal share of the time that is left.
    const double share = (patience - seconds_since(start)) / static_cast<double>(violated.size() - i);
    Budget first(whole, {.seconds = seconds_left(options, finding)});
    Budget smaller(first, {.seconds = share, .megabytes = options.memory});
    findings.stories.push_back(
        explain(checker_of(finding.level), finding.level, verdict, {&smaller, &first}));
  }
  if (!violated.empty()) findings.stages.push_back({"explaining", seconds_since(start)});
}

}  // namespace assay
