// Saturation at once, before any choice, against the oracle: it derives nothing that a good history
// contradicts, and what is left to the search is enough for the rest.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <functional>

#include "check/check.h"
#include "random/random_history.h"
#include "random/shrink.h"
#include "support/evidence.h"
#include "support/levels.h"
#include "support/oracle_level.h"
#include "support/random.h"

namespace assay::test {
namespace {

const std::vector<Level> kPointLevels = [] {
  std::vector<Level> found = levels_without_clocks();
  std::erase_if(found, is_weak);
  return found;
}();

// Without the guess, so that accepted histories are saturated too.
CheckOptions saturating() { return {.greedy = false, .saturate_after = 0}; }

// What is wrong with the verdict; nothing for histories that are not judged.
std::string complaint(const History& history, Level level) {
  const auto verdict = Checker(history, saturating()).judge(level);
  if (!verdict) return "";
  const bool holds = std::holds_alternative<Holds>(*verdict);
  if (holds != oracle::allows(history, of_oracle(level)))
    return holds ? "holds, says check" : "violated, says check";
  const auto certified = certify(history, level, *verdict);
  return certified ? "" : certified.error().describe();
}

void expect_agreement(const std::string& suite, std::size_t histories,
                      const std::function<History(Random&)>& next) {
  Random random(suite_seed(suite));
  std::array<std::size_t, kLevelCount> held{}, saturated{}, searched{};
  for (; histories > 0; --histories) {
    const History history = next(random);
    for (std::size_t j = 0; j < kPointLevels.size(); ++j) {
      Checker checker(history, saturating());
      const auto verdict = checker.judge(kPointLevels[j]);
      if (!verdict) continue;
      if (std::holds_alternative<Holds>(*verdict)) ++held[j];
      else if (checker.effort().decided_by == "saturation") ++saturated[j];
      else if (checker.effort().decided_by == "search") ++searched[j];
      if (const std::string wrong = complaint(history, kPointLevels[j]); !wrong.empty())
        FAIL() << wrong << "\n"
               << report_failure("saturation-" + std::string(id(kPointLevels[j])), history,
                                 [&](const History& h) { return !complaint(h, kPointLevels[j]).empty(); });
    }
  }
  for (std::size_t j = 0; j < kPointLevels.size(); ++j) {
    std::printf("%s: %zu held, %zu fell to saturation, %zu to the search\n", id(kPointLevels[j]).data(),
                held[j], saturated[j], searched[j]);
    EXPECT_GT(held[j], 500u);
    EXPECT_GT(saturated[j], 20u);
  }
}

TEST(Saturation, AgreesWithTheOracleWhenItGoesFirst) {
  expect_agreement("Saturation", scaled(100000, 4000), [](Random& random) {
    return random_history(random, {.most_transactions = 7, .lists = false, .repeated_values = false});
  });
}

TEST(Saturation, AgreesWithTheOracleOnLists) {
  expect_agreement("SaturationLists", scaled(50000, 2000), [](Random& random) {
    return random_history(random, {.most_transactions = 7, .list_share = 0.5, .repeated_values = false});
  });
}

}  // namespace
}  // namespace assay::test
