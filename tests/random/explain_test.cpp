// Explanations of random violations: true, as named by the verdict, and of a part that is violated by itself.
#include <gtest/gtest.h>

#include "random/random_history.h"
#include "random/shrink.h"
#include "support/explained.h"
#include "support/random.h"

namespace assay::test {
namespace {

std::string complaint(const History& history, Level level) {
  Checker checker(history);
  const auto verdict = checker.judge(level);
  const auto* fell = verdict ? std::get_if<Violated>(&*verdict) : nullptr;
  if (fell == nullptr) return "";
  const Explanation e = explain(checker, level, *fell);
  const auto problems = ExplanationCheck(history, level, *fell, e).problems();
  return problems.empty() ? "" : problems.front();
}

TEST(ExplainRandom, EveryStoryIsTrue) {
  Random random(suite_seed("ExplainRandom"));
  for (std::size_t left = scaled(20000, 1000); left > 0; --left) {
    const RandomHistoryOptions options{.list_share = random.chance(0.5) ? 0.0 : 0.6,
                                       .repeated_values = false};
    const History history = random_history(random, options);
    for (const LevelRow& row : levels()) {
      if (!can_check(row.level)) continue;
      if (const std::string wrong = complaint(history, row.level); !wrong.empty())
        FAIL() << wrong << " at " << row.id << "\n"
               << report_failure("explain-" + std::string(row.id), history,
                                 [&](const History& h) { return !complaint(h, row.level).empty(); });
    }
  }
}

}  // namespace
}  // namespace assay::test
