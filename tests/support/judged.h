// A history that was judged and explained at the levels that it can be judged at, the way the rooms that run
// workloads ask for it. Without rows and predicates.
#pragma once

#include <chrono>
#include <memory>

#include "check/check.h"
#include "explain/explain.h"
#include "report/findings.h"

namespace assay::test {

struct Judged {
  explicit Judged(History judged) : history(std::move(judged)), findings{"h", "jsonl", history, {}, {}, {}} {}

  History history;
  Findings findings;
};

// What takes longer than the limit is undecided, or has a longer explanation: histories of repeated values
// can take minutes.
inline std::shared_ptr<const Findings> judged(History history, const std::vector<Level>& levels,
                                              std::chrono::milliseconds limit = std::chrono::seconds(10)) {
  const auto result = std::make_shared<Judged>(std::move(history));
  auto start = std::chrono::steady_clock::now();
  const auto late = [&] { return std::chrono::steady_clock::now() - start > limit; };
  CheckOptions options;
  options.stop = [&] { return late() ? std::optional<std::string>("too long") : std::nullopt; };
  Checker checker(result->history, options);
  for (const Level level : levels) {
    start = std::chrono::steady_clock::now();
    auto verdict = checker.judge(level);
    if (!verdict) continue;
    Finding finding{level, std::move(*verdict), 0};
    if (const auto* violated = std::get_if<Violated>(&finding.verdict)) {
      finding.story = result->findings.stories.size();
      start = std::chrono::steady_clock::now();
      result->findings.stories.push_back(explain(checker, level, *violated, {late, late}));
    }
    result->findings.levels.push_back(std::move(finding));
  }
  return {result, &result->findings};
}

}  // namespace assay::test
