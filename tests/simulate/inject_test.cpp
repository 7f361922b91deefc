#include <gtest/gtest.h>

#include <set>

#include "isolation/anomaly.h"
#include "simulate/generate_support.h"
#include "simulate/inject.h"
#include "simulate/store.h"

namespace assay::test {
namespace {

GeneratorOptions with(Anomaly anomaly, Level isolation, DataKind data, std::uint64_t seed) {
  return {.isolation = isolation,
          .sessions = 4,
          .transactions = 9,
          .operations = 3,
          .keys = 3,
          .data = data,
          .instants = RecordedInstants::All,
          .inject = anomaly,
          .seed = seed};
}

class Injected : public testing::TestWithParam<Anomaly> {
 protected:
  void expect_exactly_what_it_rules_out(const GeneratorOptions& options) {
    const History history = generated(options).history;
    for (const LevelRow& row : levels()) {
      const bool holds = oracle::allows(history, of_oracle(row.level));
      if (rules_out(GetParam(), row.level)) {
        EXPECT_FALSE(holds) << id(row.level) << " survives in " << id(options.isolation) << ", seed "
                            << options.seed;
      } else if (implies(options.isolation, row.level)) {
        EXPECT_TRUE(holds) << id(row.level) << " falls in " << id(options.isolation) << ", seed "
                           << options.seed;
      }
    }
  }
};

TEST_P(Injected, RulesOutItsLevelsAndNoOthers) {
  for (const Level isolation : simulated_levels())
    for (std::uint64_t seed = 0; seed < 12; ++seed)
      expect_exactly_what_it_rules_out(with(GetParam(), isolation, DataKind::Registers, seed));
}

TEST_P(Injected, RulesOutItsLevelsAndNoOthersAmongLists) {
  for (const Level isolation : simulated_levels())
    for (std::uint64_t seed = 0; seed < 8; ++seed)
      expect_exactly_what_it_rules_out(with(GetParam(), isolation, DataKind::Lists, seed));
}

TEST_P(Injected, IsReportedAndStandsOnKeysOfItsOwn) {
  std::set<std::size_t> places;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    GeneratorOptions options = with(GetParam(), Level::Ser, DataKind::Registers, seed);
    options.transactions = 60;
    const Generated g = generated(options);
    ASSERT_EQ(g.history.transaction_count(), 60u);
    ASSERT_EQ(g.injected.size(), planted_transactions(GetParam(), false).size());
    places.insert(g.injected.front().index() / 20);

    const std::set<TxnId> planted(g.injected.begin(), g.injected.end());
    std::set<SessionId> sessions;
    for (const TxnId t : g.history.transactions()) {
      if (planted.contains(t)) sessions.insert(g.history.session(t));
      for (const OpId op : g.history.operations(t))
        if (is_one_key(g.history.kind(op))) {
          EXPECT_EQ(g.history.name(g.history.key(op)).as_integer() >= 3, planted.contains(t));
        }
    }
    EXPECT_EQ(sessions.size(), g.injected.size());
  }
  EXPECT_EQ(places.size(), 3u) << "it is planted early, in the middle and late";
}

TEST_P(Injected, IsConcurrentWithTheRestOfItself) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Generated g = generated(with(GetParam(), Level::StrictSer, DataKind::Registers, seed));
    for (const TxnId a : g.injected)
      for (const TxnId b : g.injected)
        EXPECT_LE(g.history.instants(a).began, g.history.instants(b).committing);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Injected, testing::ValuesIn(plantable_anomalies()), [](const auto& param) {
  std::string text(name(param.param));
  std::ranges::replace(text, '-', '_');
  return text;
});

}  // namespace
}  // namespace assay::test
