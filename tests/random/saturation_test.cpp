// Saturation at once, before any choice, against the oracle: it derives nothing that a good history contradicts, and what
// is left to the search is enough for the rest.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "check/check.h"
#include "oracle/oracle.h"
#include "random/random_history.h"
#include "random/shrink.h"
#include "support/random.h"

namespace assay::test {
namespace {

struct Pair {
  Level level;
  oracle::Level oracle;
};

constexpr std::array<Pair, 6> kPointLevels{{{Level::Pc, oracle::Level::pc},
                                            {Level::Psi, oracle::Level::psi},
                                            {Level::Si, oracle::Level::si},
                                            {Level::AdyaSi, oracle::Level::adya_si},
                                            {Level::Ser, oracle::Level::ser},
                                            {Level::PlainSer, oracle::Level::plain_ser}}};

// Without the guess, so that accepted histories are saturated too.
CheckOptions saturating() { return {.greedy = false, .saturate_after = 0}; }

bool disagree(const History& history, const Pair& pair) {
  const auto verdict = Checker(history, saturating()).judge(pair.level);
  if (!verdict) return false;
  return std::holds_alternative<Holds>(*verdict) != oracle::allows(history, pair.oracle);
}

TEST(Saturation, AgreesWithTheOracleWhenItGoesFirst) {
  Random random(suite_seed("Saturation"));
  std::array<std::size_t, kPointLevels.size()> held{}, saturated{}, searched{};
  for (std::size_t i = scaled(100000, 4000); i > 0; --i) {
    const History history = random_history(random, {.most_transactions = 7, .lists = false, .repeated_values = false});
    for (std::size_t j = 0; j < kPointLevels.size(); ++j) {
      Checker checker(history, saturating());
      const auto verdict = checker.judge(kPointLevels[j].level);
      if (!verdict) continue;
      if (std::holds_alternative<Holds>(*verdict)) ++held[j];
      else if (checker.effort().decided_by == "saturation") ++saturated[j];
      else if (checker.effort().decided_by == "search") ++searched[j];
      if (disagree(history, kPointLevels[j]))
        FAIL() << report_failure("saturation-" + std::string(id(kPointLevels[j].level)), history,
                                 [&](const History& h) { return disagree(h, kPointLevels[j]); });
    }
  }
  for (std::size_t j = 0; j < kPointLevels.size(); ++j) {
    std::printf("%s: %zu held, %zu fell to saturation, %zu to the search\n", id(kPointLevels[j].level).data(), held[j],
                saturated[j], searched[j]);
    EXPECT_GT(held[j], 500u);
    EXPECT_GT(saturated[j], 100u);
  }
}

}  // namespace
}  // namespace assay::test
