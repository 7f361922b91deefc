// The tables of src/isolation say what the oracle finds: implications that are missing have a witness, and an
// anomaly rules out exactly the levels its row names. (Implications that are listed: tests/random.)
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "isolation/anomaly.h"
#include "isolation/level.h"
#include "oracle/oracle.h"
#include "support/hist.h"

namespace assay::test {
namespace {

Level in_table(oracle::Level level) { return *find_level(oracle::id(level)); }

TEST(LevelTable, HasAWitnessForEveryImplicationThatItDoesNotList) {
  const std::vector<History> witnesses{
      hist("S1: <@0..9> r(x,0) w(x,1)  S2: <@0..9> r(x,0) w(x,2)"),
      hist("S1: <@0..9> w(x,1)  S2: <@0..9> w(y,1)  S3: <@0..9> r(x,1) r(y,0)  S4: <@0..9> r(x,0) r(y,1)"),
      hist("S1: <@0..9> r(x,0) w(y,1)  S2: <@0..9> r(y,0) w(x,1)"),
      hist("S1: <@0..9> w(x,1)  S2: <@0..9> r(x,1) w(y,1)  S3: <@0..9> r(y,1) r(x,0)"),
      hist("S1: <@0..9> w(x,1) w(y,1)  S2: <@0..9> r(x,0) r(y,1)"),
      hist("S1: <@0..9> w(x,1) | <@0..9> w(x,2) w(y,2)  S2: <@0..9> r(y,2) r(x,1)"),
      hist("S1: <@0..9> w(y,1)  S2: <@0..9> r(y,1) w(x,1) w(y,2)  S3: <@0..9> r(x,1) r(y,1)"),
      hist("S1: <@0,1..8,9> r(x,1)  S2: <@2..3,4> w(x,1)"),
      hist("S1: <@0..1> w(x,1)  S2: <@5..6> r(x,0)"),
  };
  for (const oracle::Level a : oracle::kLevels)
    for (const oracle::Level b : oracle::kLevels) {
      const bool separated = std::ranges::any_of(
          witnesses, [&](const History& h) { return oracle::allows(h, a) && !oracle::allows(h, b); });
      EXPECT_EQ(separated, !implies(in_table(a), in_table(b))) << oracle::id(a) << " => " << oracle::id(b);
    }
}

TEST(AnomalyTable, RulesOutExactlyTheLevelsThatItsExampleBreaks) {
  for (const AnomalyRow& example : anomalies()) {
    SCOPED_TRACE(example.name);
    const History history = hist(example.example);
    for (const oracle::Level level : oracle::kLevels) {
      if (oracle::needs_instants(level)) continue;
      EXPECT_NE(oracle::allows(history, level), rules_out(example.anomaly, in_table(level)))
          << oracle::id(level);
    }
  }
}

}  // namespace
}  // namespace assay::test
