// check() against the oracle, on histories of unique values and lists; the evidence of every verdict is
// certified.
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

const std::vector<Level>& kJudged = levels_without_clocks();

// What is wrong with a verdict: it differs from the oracle's, or its evidence does not stand.
std::string complaint(const History& history, Level level, const Verdict& verdict) {
  if (std::holds_alternative<Undecided>(verdict)) return "";  // counted below
  const bool holds = std::holds_alternative<Holds>(verdict);
  if (holds != oracle::allows(history, of_oracle(level)))
    return holds ? "holds, says check" : "violated, says check";
  const auto certified = certify(history, level, verdict);
  return certified ? "" : certified.error().describe();
}

// Judged alone, and after all levels before it, which may imply it.
std::string complaint(const History& history, Level level) {
  const auto alone = check(history, level);
  if (!alone) return "";
  if (auto wrong = complaint(history, level, *alone); !wrong.empty()) return wrong;
  Checker checker(history);
  for (const Level other : kJudged) {
    const auto verdict = checker.judge(other);
    if (auto wrong = complaint(history, other, *verdict); !wrong.empty()) return "after others: " + wrong;
  }
  return "";
}

// Histories that are not judged (values that several transactions wrote) are passed over.
void expect_agreement(const std::string& suite, std::size_t histories,
                      const std::function<History(Random&)>& next) {
  Random random(suite_seed(suite));
  std::array<std::size_t, kLevelCount> held{}, fell{};
  std::size_t undecided = 0;  // lists of transactions that may count
  const std::size_t most_undecided = histories / 1000 + 2 * kJudged.size();
  while (histories > 0) {
    const History history = next(random);
    if (!check(history, Level::Rc)) continue;
    --histories;
    for (std::size_t j = 0; j < kJudged.size(); ++j) {
      const auto verdict = check(history, kJudged[j]);
      undecided += std::holds_alternative<Undecided>(*verdict);
      ++(std::holds_alternative<Holds>(*verdict) ? held : fell)[j];
      if (const std::string wrong = complaint(history, kJudged[j]); !wrong.empty())
        FAIL() << wrong << "\n"
               << report_failure("check-" + std::string(id(kJudged[j])), history,
                                 [&](const History& h) { return !complaint(h, kJudged[j]).empty(); });
    }
  }
  std::printf("%zu undecided\n", undecided);
  EXPECT_LE(undecided, most_undecided);
  for (std::size_t j = 0; j < kJudged.size(); ++j) {
    std::printf("%s: %zu held, %zu fell\n", id(kJudged[j]).data(), held[j], fell[j]);
    EXPECT_GT(held[j], 300u);
    EXPECT_GT(fell[j], 300u);
  }
}

TEST(CheckAgainstOracle, AgreesOnRandomHistoriesOfUniqueValues) {
  expect_agreement("CheckAgainstOracle", scaled(100000, 4000), [](Random& random) {
    return random_history(random, {.lists = false, .repeated_values = false});
  });
}

TEST(CheckAgainstOracle, AgreesOnRandomHistoriesWithLists) {
  expect_agreement("CheckAgainstOracleLists", scaled(100000, 4000), [](Random& random) {
    return random_history(random, {.list_share = 0.8, .repeated_values = random.chance(0.2)});
  });
}

}  // namespace
}  // namespace assay::test
