// check() against the oracle, on histories of unique values.
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

constexpr std::array<Pair, 9> kJudged{{{Level::Rc, oracle::Level::rc},
                                       {Level::Ra, oracle::Level::ra},
                                       {Level::Cc, oracle::Level::cc},
                                       {Level::Pc, oracle::Level::pc},
                                       {Level::Psi, oracle::Level::psi},
                                       {Level::Si, oracle::Level::si},
                                       {Level::AdyaSi, oracle::Level::adya_si},
                                       {Level::Ser, oracle::Level::ser},
                                       {Level::PlainSer, oracle::Level::plain_ser}}};

bool disagree(const History& history, const Pair& pair) {
  const auto verdict = check(history, pair.level);
  if (!verdict) return false;
  return std::holds_alternative<Holds>(*verdict) != oracle::allows(history, pair.oracle);
}

TEST(CheckAgainstOracle, AgreesOnRandomHistoriesOfUniqueValues) {
  Random random(suite_seed("CheckAgainstOracle"));
  std::array<std::size_t, kJudged.size()> held{}, fell{};
  for (std::size_t i = scaled(100000, 4000); i > 0; --i) {
    const History history = random_history(random, {.lists = false, .repeated_values = false});
    for (std::size_t j = 0; j < kJudged.size(); ++j) {
      const auto verdict = check(history, kJudged[j].level);
      if (!verdict) continue;
      ++(std::holds_alternative<Holds>(*verdict) ? held : fell)[j];
      if (disagree(history, kJudged[j]))
        FAIL() << report_failure("check-" + std::string(id(kJudged[j].level)), history,
                                 [&](const History& h) { return disagree(h, kJudged[j]); });
    }
  }
  for (std::size_t j = 0; j < kJudged.size(); ++j) {
    std::printf("%s: %zu held, %zu fell\n", id(kJudged[j].level).data(), held[j], fell[j]);
    EXPECT_GT(held[j], 500u);
    EXPECT_GT(fell[j], 500u);
  }
}

}  // namespace
}  // namespace assay::test
