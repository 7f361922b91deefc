// Generated histories are of their level and, mostly, not of the next stronger one.
//
// The small shape: 12 transactions of 5 operations in 3 sessions on 5 keys, 80 % reads. Fewer
// transactions leave too little room for a fork (cc, psi) to be seen from both sides.
#include <gtest/gtest.h>

#include "base/random.h"
#include "simulate/generate_support.h"
#include "simulate/store.h"

namespace assay::test {
namespace {

GeneratorOptions small(Level isolation, std::uint64_t seed) {
  return {.isolation = isolation,
          .sessions = 3,
          .transactions = 12,
          .operations = 5,
          .keys = 5,
          .reads = 0.8,
          .seed = seed};
}

// Every option that can make a difference makes one.
GeneratorOptions varied(Level isolation, std::uint64_t seed) {
  Random random(seed);
  GeneratorOptions o{.isolation = isolation,
                     .sessions = 1 + random.below(5),
                     .transactions = 1 + random.below(9),
                     .operations = 1 + random.below(6),
                     .keys = 1 + random.below(4),
                     .reads = random.unit(),
                     .mix = random.chance(0.3) ? Mix::Split : Mix::Mixed,
                     .read_modify_write = random.unit(),
                     .aborted = random.chance(0.4) ? 0.3 : 0,
                     .unknown = random.chance(0.4) ? 0.3 : 0,
                     .skew = random.chance(0.3) ? 20000 : 0,
                     .seed = seed};
  if (random.chance(0.4)) {
    o.data = DataKind::Lists;
    o.list_length = 1 + random.below(6);
  } else if (random.chance(0.3)) {
    o.duplicates = 0.5;
  }
  if (random.chance(0.5)) o.instants = RecordedInstants::All;
  return o;
}

class GeneratedLevel : public testing::TestWithParam<Level> {};

TEST_P(GeneratedLevel, IsKeptByEveryHistory) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const GeneratorOptions options = varied(GetParam(), seed);
    ASSERT_TRUE(oracle::allows(generated(options).history, of_oracle(GetParam()), {.skew = options.skew}))
        << id(GetParam()) << " seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, GeneratedLevel,
                         testing::ValuesIn(simulated_levels().begin(), simulated_levels().end()),
                         [](const auto& param) {
                           std::string name(id(param.param));
                           std::erase(name, '-');
                           return name;
                         });

TEST(GeneratedSi, SnapshotsNeverComeFromTheFuture) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const GeneratorOptions options = varied(Level::Si, seed);
    ASSERT_TRUE(oracle::allows(generated(options).history, oracle::Level::session_si, {.skew = options.skew}))
        << "seed " << seed;
  }
}

struct Pair {
  Level weaker, stronger;
};

class AdjacentLevels : public testing::TestWithParam<Pair> {};

TEST_P(AdjacentLevels, AreToldApartByHalfOfTheSmallHistories) {
  const auto [weaker, stronger] = GetParam();
  int violations = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const History history = generated(small(weaker, seed)).history;
    ASSERT_TRUE(oracle::allows(history, of_oracle(weaker))) << "seed " << seed;
    if (!oracle::allows(history, of_oracle(stronger))) ++violations;
  }
  EXPECT_GE(violations, 100);
}

INSTANTIATE_TEST_SUITE_P(Every, AdjacentLevels,
                         testing::Values(Pair{Level::Rc, Level::Ra}, Pair{Level::Ra, Level::Cc},
                                         Pair{Level::Cc, Level::Pc}, Pair{Level::Cc, Level::Psi},
                                         Pair{Level::Pc, Level::Si}, Pair{Level::Psi, Level::Si},
                                         Pair{Level::Si, Level::Ser}, Pair{Level::Ser, Level::StrictSer}),
                         [](const auto& param) {
                           std::string name = std::string(id(param.param.weaker)) + "_" +
                                              std::string(id(param.param.stronger));
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace assay::test
