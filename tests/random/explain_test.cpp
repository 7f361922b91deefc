// Explanations of random violations: true, as named by the verdict, by a name whose definition is true, and
// of a part that is violated by itself.
#include <gtest/gtest.h>

#include "random/random_history.h"
#include "random/shrink.h"
#include "simulate/generator.h"
#include "support/anomaly_definitions.h"
#include "support/explained.h"
#include "support/random.h"

namespace assay::test {
namespace {

std::string complaint(const History& history, Level level, const CheckOptions& how = {}) {
  Checker checker(history, how);
  const auto verdict = judge_and_name(checker, level);
  const auto* fell = verdict ? std::get_if<Violated>(&*verdict) : nullptr;
  if (fell == nullptr) return "";
  const Explanation e = explain(checker, level, *fell);
  const auto problems = ExplanationCheck(history, level, *fell, e, how.skew).problems();
  return problems.empty() ? AnomalyDefinition(e, how.skew).complaint() : problems.front();
}

TEST(ExplainRandom, EveryStoryIsTrue) {
  Random random(suite_seed("ExplainRandom"));
  for (std::size_t left = scaled(20000, 1000); left > 0; --left) {
    const RandomHistoryOptions options{.instants = random.chance(0.3),
                                       .list_share = random.chance(0.5) ? 0.0 : 0.6,
                                       .repeated_values = random.chance(0.5)};
    const History history = random_history(random, options);
    const CheckOptions how{.skew = static_cast<std::int64_t>(random.below(2) * random.below(12))};
    for (const LevelRow& row : levels()) {
      if (const std::string wrong = complaint(history, row.level, how); !wrong.empty())
        FAIL() << wrong << " at " << row.id << " with skew " << how.skew << "\n"
               << report_failure("explain-" + std::string(row.id), history,
                                 [&](const History& h) { return !complaint(h, row.level, how).empty(); });
    }
  }
}

// Few keys and many blind writes, searched without saturation: proofs with suppositions and clauses.
TEST(ExplainRandom, EveryStoryOfAHotHistoryIsTrue) {
  Random random(suite_seed("ExplainHot"));
  for (std::size_t left = scaled(3000, 100); left > 0; --left) {
    GeneratorOptions options;
    options.isolation = random.chance(0.5) ? Level::Ra : Level::Psi;
    options.sessions = 3 + random.below(6);
    options.transactions = 20 + random.below(60);
    options.operations = 2 + random.below(4);
    options.keys = 2 + random.below(6);
    options.reads = 0.4;
    options.unknown = random.chance(0.3) ? 0.1 : 0;
    options.data = random.chance(0.3) ? DataKind::Lists : options.data;
    options.duplicates = options.data != DataKind::Lists && random.chance(0.3) ? 0.7 : 0;
    options.seed = random.below(1u << 30);
    const auto generated = generate(options);
    ASSERT_TRUE(generated) << generated.error().describe();
    const History& history = generated->history;
    const CheckOptions how{.greedy = false, .saturation = false};
    for (const Level level : {Level::Psi, Level::Pc, Level::Si, Level::Ser, Level::PlainSer})
      if (const std::string wrong = complaint(history, level, how); !wrong.empty())
        FAIL() << wrong << " at " << id(level) << "\n"
               << report_failure("explain-hot-" + std::string(id(level)), history,
                                 [&](const History& h) { return !complaint(h, level, how).empty(); });
  }
}

}  // namespace
}  // namespace assay::test
