// The table of levels (src/isolation/level.cpp) against the oracle: what it says follows does, and what
// it does not say does not.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

#include "isolation/level.h"
#include "oracle/oracle.h"
#include "random/random_history.h"
#include "random/shrink.h"
#include "support/random.h"

namespace assay::test {
namespace {

using oracle::kLevels;

bool table_says_implies(oracle::Level stronger, oracle::Level weaker) {
  return implies(*find_level(oracle::id(stronger)), *find_level(oracle::id(weaker)));
}

std::string name(oracle::Level stronger, oracle::Level weaker) {
  return std::string(oracle::id(stronger)) + "-without-" + std::string(oracle::id(weaker));
}

// Histories that satisfy the first level and not the second, and how often each level held.
struct Separations {
  std::array<std::array<std::size_t, kLevels.size()>, kLevels.size()> count{};
  std::array<std::size_t, kLevels.size()> held{};
  std::size_t histories = 0;

  void note(const std::array<bool, kLevels.size()>& holds) {
    ++histories;
    for (std::size_t a = 0; a < kLevels.size(); ++a) {
      held[a] += holds[a];
      for (std::size_t b = 0; b < kLevels.size(); ++b) count[a][b] += holds[a] && !holds[b];
    }
  }
};

TEST(LevelTable, IsWhatRandomHistoriesShow) {
  Random random(suite_seed("LevelTable"));
  Separations seen;
  for (std::size_t i = scaled(300000, 6000); i > 0; --i) {
    const History history = random_history(random, {.instants = true});
    const oracle::Options options{.skew = static_cast<std::int64_t>(random.below(2) * random.below(12))};
    std::array<bool, kLevels.size()> holds;
    for (std::size_t a = 0; a < kLevels.size(); ++a) holds[a] = oracle::allows(history, kLevels[a], options);
    seen.note(holds);
    for (std::size_t a = 0; a < kLevels.size(); ++a)
      for (std::size_t b = 0; b < kLevels.size(); ++b) {
        if (!holds[a] || holds[b] || !table_says_implies(kLevels[a], kLevels[b])) continue;
        FAIL() << report_failure(name(kLevels[a], kLevels[b]), history, [&](const History& h) {
          return oracle::allows(h, kLevels[a], options) && !oracle::allows(h, kLevels[b], options);
        });
      }
  }

  // A generator that is all one verdict at some level would test little.
  for (std::size_t a = 0; a < kLevels.size(); ++a) {
    std::printf("%-10s holds for %zu of %zu\n", oracle::id(kLevels[a]).data(), seen.held[a], seen.histories);
    EXPECT_GT(seen.held[a], seen.histories * 3 / 10) << oracle::id(kLevels[a]);
    EXPECT_LT(seen.held[a], seen.histories * 9 / 10) << oracle::id(kLevels[a]);
  }
  for (std::size_t a = 0; a < kLevels.size(); ++a)
    for (std::size_t b = 0; b < kLevels.size(); ++b)
      if (seen.count[a][b] == 0 && !table_says_implies(kLevels[a], kLevels[b]))
        std::printf("no history was %s; the table does not exclude it\n",
                    name(kLevels[a], kLevels[b]).c_str());
}

}  // namespace
}  // namespace assay::test
