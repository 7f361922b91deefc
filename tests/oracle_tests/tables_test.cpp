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

struct Example {
  Anomaly anomaly;
  const char* history;
};

TEST(AnomalyTable, RulesOutExactlyTheLevelsThatItsExampleBreaks) {
  using enum Anomaly;
  const Example examples[] = {
      {ThinAir, "S1: r(x,7)"},
      {G1a, "S1: w(x,1)!  S2: r(x,1)"},
      {G1b, "S1: w(x,1) w(x,2)  S2: r(x,1)"},
      {FutureRead, "S1: r(x,1) w(x,1)"},
      {NotOwnWrite, "S1: w(x,1) r(x,0)"},
      {NotOwnLastWrite, "S1: w(x,1) w(x,2) r(x,1)"},
      {NonRepeatableRead, "S1: w(x,1)  S2: r(x,0) r(x,1)"},
      {IncompatibleOrder, "S1: append(l,1)  S2: append(l,2)  S3: r(l,[1 2])  S4: r(l,[2 1])"},
      {DuplicateElements, "S1: append(l,1)  S2: r(l,[1 1])"},
      {G0, "S1: append(l,1) append(m,1)  S2: append(l,2) append(m,2)  S3: r(l,[1 2])  S4: r(m,[2 1])"},
      {G1c, "S1: w(x,1) r(y,1)  S2: w(y,1) r(x,1)"},
      {NonMonotonicRead, "S1: w(y,1)  S2: r(y,1) w(x,1) w(y,2)  S3: r(x,1) r(y,1)"},
      {FracturedRead, "S1: w(y,1)  S2: r(y,1) w(x,1) w(y,2)  S3: r(y,1) r(x,1)"},
      {Causality, "S1: w(x,1)  S2: r(x,1) w(x,2)  S3: r(x,2) w(y,1)  S4: r(y,1) r(x,1)"},
      {StaleInitialRead, "S1: w(x,1)  S2: r(x,1) w(y,1)  S3: r(y,1) r(x,0)"},
      {LostUpdate, "S1: r(x,0) w(x,1)  S2: r(x,0) w(x,2)"},
      {LongFork, "S1: w(x,1)  S2: w(y,1)  S3: r(x,1) r(y,0)  S4: r(x,0) r(y,1)"},
      {ReadSkew, "S1: r(x,0) append(l,2)  S2: w(x,1) append(l,1)  S3: r(l,[1 2])"},
      {GNonadjacent,
       "S1: r(x,0) append(m,2)  S2: w(x,1) append(l,1)  S3: r(y,0) append(l,2)  S4: w(y,1) append(m,1)"
       "S5: r(l,[1 2])  S6: r(m,[1 2])"},
      {WriteSkew, "S1: r(x,0) w(y,1)  S2: r(y,0) w(x,1)"},
      {ReadOnly, "S1: r(y,0) w(y,2)  S2: r(x,0) r(y,0) w(x,1)  S3: r(x,0) r(y,2)"},
  };
  for (const Example& example : examples) {
    SCOPED_TRACE(name(example.anomaly));
    const History history = hist(example.history);
    for (const oracle::Level level : oracle::kLevels) {
      if (oracle::needs_instants(level)) continue;
      EXPECT_NE(oracle::allows(history, level), rules_out(example.anomaly, in_table(level)))
          << oracle::id(level);
    }
  }
}

}  // namespace
}  // namespace assay::test
