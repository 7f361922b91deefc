// The levels of real time against the oracle: clocks that differ, all four instants or two, unknown outcomes, values that
// several transactions wrote. Every verdict is certified.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "check/check.h"
#include "oracle/oracle.h"
#include "random/random_history.h"
#include "random/shrink.h"
#include "support/evidence.h"
#include "support/random.h"

namespace assay::test {
namespace {

struct Pair {
  Level level;
  oracle::Level oracle;
};

constexpr std::array<Pair, 4> kJudged{{{Level::Gsi, oracle::Level::gsi},
                                       {Level::SessionSi, oracle::Level::session_si},
                                       {Level::StrongSi, oracle::Level::strong_si},
                                       {Level::StrictSer, oracle::Level::strict_ser}}};

std::string complaint(const History& history, const Pair& pair, const Verdict& verdict, std::int64_t skew) {
  const bool holds = std::holds_alternative<Holds>(verdict);
  if (holds != oracle::allows(history, pair.oracle, {.skew = skew})) return holds ? "holds, says check" : "violated, says check";
  const auto certified = certify(history, pair.level, verdict, skew);
  return certified ? "" : certified.error().describe();
}

// Judged alone, and after all levels before it; nothing for a history that is refused.
std::string complaint(const History& history, const Pair& pair, const CheckOptions& options) {
  const auto alone = Checker(history, options).judge(pair.level);
  if (!alone) return "";
  if (auto wrong = complaint(history, pair, *alone, options.skew); !wrong.empty()) return wrong;
  Checker checker(history, options);
  for (const LevelRow& row : levels()) {
    const auto verdict = checker.judge(row.level);
    if (!verdict) continue;
    if (row.level == pair.level)
      if (auto wrong = complaint(history, pair, *verdict, options.skew); !wrong.empty()) return "after others: " + wrong;
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

void expect_agreement(const std::string& suite, std::size_t histories, bool repeated_values, CheckOptions options) {
  Random random(suite_seed(suite));
  std::array<Tally, kJudged.size()> tallies;
  std::size_t refused = 0;
  for (; histories > 0; --histories) {
    const History history = random_history(
        random, {.instants = true, .list_share = random.chance(0.2) ? 0.5 : 0, .repeated_values = repeated_values});
    options.skew = static_cast<std::int64_t>(random.below(2) * random.below(12));
    const bool open = has_open_read(history);
    for (std::size_t j = 0; j < kJudged.size(); ++j) {
      const auto verdict = Checker(history, options).judge(kJudged[j].level);
      if (!verdict) {
        ++refused;
        continue;
      }
      const bool holds = std::holds_alternative<Holds>(*verdict);
      ++(holds ? tallies[j].held : tallies[j].fell);
      if (open) ++(holds ? tallies[j].held_open : tallies[j].fell_open);
      if (const std::string wrong = complaint(history, kJudged[j], options); !wrong.empty())
        FAIL() << wrong << " with skew " << options.skew << "\n"
               << report_failure("real-time-" + std::string(id(kJudged[j].level)), history,
                                 [&](const History& h) { return !complaint(h, kJudged[j], options).empty(); });
    }
  }
  std::printf("%zu refused\n", refused);
  for (std::size_t j = 0; j < kJudged.size(); ++j) {
    const Tally& t = tallies[j];
    std::printf("%s: %zu held, %zu fell; with a read of two possible writers %zu held, %zu fell\n", id(kJudged[j].level).data(),
                t.held, t.fell, t.held_open, t.fell_open);
    EXPECT_GT(t.held, 50u);
    EXPECT_GT(t.fell, 50u);
    EXPECT_EQ(repeated_values, t.held_open > 0);
    EXPECT_EQ(repeated_values, t.fell_open > 0);
  }
}

TEST(RealTimeLevels, AreJudgedAsTheOracleDoes) { expect_agreement("RealTime", scaled(100000, 3000), false, {}); }

TEST(RealTimeLevels, AreJudgedAsTheOracleDoesWhereValuesRepeat) {
  expect_agreement("RealTimeRepeated", scaled(100000, 3000), true, {});
}

TEST(RealTimeLevels, AreJudgedBySaturationFirst) {
  expect_agreement("RealTimeSaturation", scaled(30000, 1500), false, {.greedy = false, .saturate_after = 0});
}

TEST(RealTimeLevels, AreJudgedBySearchAlone) {
  expect_agreement("RealTimeSearch", scaled(30000, 1500), true, {.greedy = false, .saturation = false});
}

}  // namespace
}  // namespace assay::test
