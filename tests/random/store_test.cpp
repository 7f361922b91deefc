// The simulated store (src/simulate) against the oracle: it keeps the level it promises, no more, and an
// anomaly planted in it is that anomaly.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "isolation/anomaly.h"
#include "isolation/level.h"
#include "random/shrink.h"
#include "simulate/generator.h"
#include "simulate/inject.h"
#include "simulate/store.h"
#include "support/oracle_level.h"
#include "support/random.h"

namespace assay::test {
namespace {

History generated(const GeneratorOptions& options) {
  auto result = generate(options);
  EXPECT_TRUE(result.has_value()) << result.error().describe();
  return std::move(result)->history;
}

GeneratorOptions small(Level level, Random& random) {
  GeneratorOptions o;
  o.isolation = level;
  o.sessions = 2 + random.below(3);
  o.transactions = 3 + random.below(5);
  o.fewest_operations = 1;
  o.operations = 2 + random.below(3);
  o.keys = 1 + random.below(3);
  o.reads = 0.3 + 0.4 * random.unit();
  o.mix = random.chance(0.3) ? Mix::Split : Mix::Mixed;
  o.read_modify_write = random.unit();
  o.data = random.chance(0.3) ? DataKind::Lists : DataKind::Registers;
  o.duplicates = o.data == DataKind::Registers && random.chance(0.5) ? 1 : 0;
  o.aborted = random.chance(0.3) ? 0.2 : 0;
  o.unknown = random.chance(0.3) ? 0.3 : 0;
  o.instants = random.chance(0.5) ? RecordedInstants::All : RecordedInstants::BeginAndEnd;
  o.skew = random.chance(0.5) ? static_cast<std::int64_t>(random.below(1000)) : 0;
  o.seed = random();
  return o;
}

// Judges up to `count` histories of a store; the first one that breaks its level is reported.
void expect_store_keeps(Level level, std::size_t count, Random& random) {
  for (; count > 0; --count) {
    const GeneratorOptions options = small(level, random);
    const History history = generated(options);
    const auto breaks = [&](const History& h) {
      return !oracle::allows(h, of_oracle(level), {.skew = options.skew});
    };
    if (!breaks(history)) continue;
    ADD_FAILURE() << report_failure("store-" + std::string(id(level)), history, breaks);
    return;
  }
}

TEST(SimulatedStore, KeepsItsLevel) {
  Random random(suite_seed("SimulatedStore"));
  for (const Level level : simulated_levels()) expect_store_keeps(level, scaled(20000, 400), random);
}

TEST(SimulatedStore, PlantsTheAnomaliesThatTheTableDescribes) {
  Random random(suite_seed("PlantedAnomalies"));
  for (const Anomaly anomaly : plantable_anomalies())
    for (std::size_t i = scaled(2000, 40); i > 0; --i) {
      GeneratorOptions options = small(Level::StrictSer, random);
      options.transactions = 5 + random.below(3);
      options.sessions = 5;
      options.aborted = options.unknown = 0;
      options.inject = anomaly;
      options.duplicates = 0;
      if (anomaly == Anomaly::G0) options.data = DataKind::Lists;
      const History history = generated(options);
      for (const LevelRow& level : levels()) {
        const bool ruled_out = rules_out(anomaly, level.level);
        // A strictly serializable store may read what was committed after it began.
        if (!ruled_out && !implies(options.isolation, level.level)) continue;
        const auto differs = [&](const History& h) {
          return oracle::allows(h, of_oracle(level.level), {.skew = options.skew}) == ruled_out;
        };
        ASSERT_FALSE(differs(history))
            << level.id << (ruled_out ? " holds" : " is violated") << " in spite of a planted "
            << report_failure(std::string(name(anomaly)), history, differs);
      }
    }
}

struct Step {
  Level kept, broken;
  std::size_t sessions, transactions, keys, operations;
  double read_modify_write;
};

constexpr std::size_t kHistories = 200;

TEST(SimulatedStore, UsuallyBreaksTheNextStrongerLevel) {
  using enum Level;
  // Few sessions keep the search short where a violation needs many transactions.
  const Step steps[] = {
      {Rc, Ra, 4, 10, 3, 4, 0.25},  {Ra, Cc, 3, 18, 6, 6, 1},
      {Cc, Pc, 3, 24, 6, 4, 0.25},  {Pc, Si, 4, 10, 3, 4, 0.25},
      {Cc, Psi, 4, 10, 3, 4, 0.25}, {Psi, Si, 3, 24, 6, 4, 0.25},
      {Si, Ser, 3, 24, 6, 4, 0.25}, {Ser, StrictSer, 3, 24, 6, 4, 0.25},
  };
  for (const Step& step : steps) {
    std::size_t violations = 0;
    for (std::size_t seed = 1; seed <= kHistories; ++seed) {
      GeneratorOptions options;
      options.isolation = step.kept;
      options.sessions = step.sessions;
      options.transactions = step.transactions;
      options.keys = step.keys;
      options.operations = step.operations;
      options.reads = 0.6;
      options.read_modify_write = step.read_modify_write;
      options.seed = seed;
      violations += !oracle::allows(generated(options), of_oracle(step.broken));
    }
    std::printf("%s without %s: %zu of %zu\n", id(step.kept).data(), id(step.broken).data(), violations,
                kHistories);
    EXPECT_GE(violations, kHistories / 2) << id(step.kept) << " store, " << id(step.broken);
  }
}

}  // namespace
}  // namespace assay::test
