// The levels of real time against the oracle: clocks that differ, all four instants or two, unknown outcomes,
// values that several transactions wrote. Every verdict is certified.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "check/check.h"
#include "random/random_history.h"
#include "random/shrink.h"
#include "support/evidence.h"
#include "support/levels.h"
#include "support/oracle_level.h"
#include "support/random.h"

namespace assay::test {
namespace {

const std::vector<Level>& kJudged = levels_of_real_time();

std::string complaint(const History& history, Level level, const Verdict& verdict, std::int64_t skew) {
  if (std::holds_alternative<Undecided>(verdict))
    return "";  // lists of transactions that may count; counted below
  const bool holds = std::holds_alternative<Holds>(verdict);
  if (holds != oracle::allows(history, of_oracle(level), {.skew = skew}))
    return holds ? "holds, says check" : "violated, says check";
  const auto certified = certify(history, level, verdict, skew);
  return certified ? "" : certified.error().describe();
}

// Judged alone, and after all levels before it; nothing for a history that is refused.
std::string complaint(const History& history, Level level, const CheckOptions& options) {
  const auto alone = Checker(history, options).judge(level);
  if (!alone) return "";
  if (auto wrong = complaint(history, level, *alone, options.skew); !wrong.empty()) return wrong;
  Checker checker(history, options);
  for (const LevelRow& row : levels()) {
    const auto verdict = checker.judge(row.level);
    if (!verdict) continue;
    if (row.level == level)
      if (auto wrong = complaint(history, level, *verdict, options.skew); !wrong.empty())
        return "after others: " + wrong;
    if (std::holds_alternative<Undecided>(*verdict)) continue;
    const auto certified = certify(history, row.level, *verdict, options.skew);
    if (!certified) return std::string(row.id) + ", among others: " + certified.error().describe();
  }
  return "";
}

bool has_open_read(const History& history) {
  const auto facts = read_facts(history, true);
  return facts && facts->wrong.empty() && !facts->open.empty();
}

struct Tally {
  std::size_t held = 0, fell = 0, held_open = 0, fell_open = 0;
};

void expect_agreement(const std::string& suite, std::size_t histories, bool repeated_values,
                      CheckOptions options) {
  Random random(suite_seed(suite));
  std::array<Tally, kLevelCount> tallies;
  std::size_t refused = 0, undecided = 0;
  const std::size_t most_undecided = repeated_values ? histories / 100 : 0;
  for (; histories > 0; --histories) {
    const History history = random_history(
        random,
        {.instants = true, .list_share = random.chance(0.2) ? 0.5 : 0, .repeated_values = repeated_values});
    options.skew = static_cast<std::int64_t>(random.below(2) * random.below(12));
    const bool open = has_open_read(history);
    for (std::size_t j = 0; j < kJudged.size(); ++j) {
      const auto verdict = Checker(history, options).judge(kJudged[j]);
      if (!verdict) {
        ++refused;
        continue;
      }
      undecided += std::holds_alternative<Undecided>(*verdict);
      const bool holds = std::holds_alternative<Holds>(*verdict);
      ++(holds ? tallies[j].held : tallies[j].fell);
      if (open) ++(holds ? tallies[j].held_open : tallies[j].fell_open);
      if (const std::string wrong = complaint(history, kJudged[j], options); !wrong.empty())
        FAIL() << wrong << " with skew " << options.skew << "\n"
               << report_failure("real-time-" + std::string(id(kJudged[j])), history, [&](const History& h) {
                    return !complaint(h, kJudged[j], options).empty();
                  });
    }
  }
  std::printf("%zu refused, %zu undecided\n", refused, undecided);
  EXPECT_LE(undecided, most_undecided);
  for (std::size_t j = 0; j < kJudged.size(); ++j) {
    const Tally& t = tallies[j];
    std::printf("%s: %zu held, %zu fell; with a read of two possible writers %zu held, %zu fell\n",
                id(kJudged[j]).data(), t.held, t.fell, t.held_open, t.fell_open);
    EXPECT_GT(t.held, 50u);
    EXPECT_GT(t.fell, 50u);
    EXPECT_EQ(repeated_values, t.held_open > 0);
    EXPECT_EQ(repeated_values, t.fell_open > 0);
  }
}

TEST(RealTimeLevels, AreJudgedAsTheOracleDoes) {
  expect_agreement("RealTime", scaled(100000, 3000), false, {});
}

TEST(RealTimeLevels, AreJudgedAsTheOracleDoesWhereValuesRepeat) {
  expect_agreement("RealTimeRepeated", scaled(100000, 3000), true, {});
}

TEST(RealTimeLevels, AreJudgedBySaturationFirst) {
  expect_agreement("RealTimeSaturation", scaled(30000, 1500), false, {.greedy = false, .saturate_after = 0});
}

TEST(RealTimeLevels, AreJudgedInWindows) {
  for (const bool repeated : {false, true})
    expect_agreement(repeated ? "RealTimeRepeatedInWindows" : "RealTimeInWindows", scaled(30000, 1000),
                     repeated, {.greedy = false, .assumption = {.first_window = 1, .fewer_chains = 0}});
}

TEST(RealTimeLevels, AreJudgedBySearchAlone) {
  expect_agreement("RealTimeSearch", scaled(30000, 1500), true, {.greedy = false, .saturation = false});
}

}  // namespace
}  // namespace assay::test
