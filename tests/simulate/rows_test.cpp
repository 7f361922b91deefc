// The store on rows: inserts, deletes, ranges, reads and writes by predicate.
#include <gmock/gmock.h>

#include <map>
#include <set>

#include "history/matches.h"
#include "simulate/generate_support.h"
#include "simulate/presets.h"
#include "simulate/store.h"
#include "simulate/workload.h"

namespace assay::test {
namespace {

// Small enough for the oracle, and varied.
GeneratorOptions small(Shape shape, Level isolation, std::uint64_t seed) {
  Random random(seed);
  return {.isolation = isolation,
          .shape = shape,
          .sessions = 1 + random.below(4),
          .transactions = 1 + random.below(7),
          .operations = 1 + random.below(3),
          .keys = 1 + random.below(4),
          .range_mix = {0.25, 0.2, 0.15, 0.15},
          .reads = random.unit(),
          .aborted = random.chance(0.3) ? 0.3 : 0,
          .unknown = random.chance(0.3) ? 0.3 : 0,
          .seed = seed};
}

class RowsAtLevel : public testing::TestWithParam<Level> {};

TEST_P(RowsAtLevel, AreKeptByEveryHistory) {
  for (const Shape shape : {Shape::Predicates, Shape::Ranges})
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      const History history = generated(small(shape, GetParam(), seed)).history;
      const auto meaningful = check_predicates(history);
      ASSERT_TRUE(meaningful) << meaningful.error().describe();
      ASSERT_TRUE(oracle::allows(history, of_oracle(GetParam()))) << id(GetParam()) << " seed " << seed;
    }
}

INSTANTIATE_TEST_SUITE_P(Every, RowsAtLevel,
                         testing::ValuesIn(simulated_levels().begin(), simulated_levels().end()),
                         [](const auto& param) {
                           std::string name(id(param.param));
                           std::erase(name, '-');
                           return name;
                         });

// How many of 200 histories of one level break another.
int violations(Shape shape, Level isolation, Level stronger) {
  int count = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    GeneratorOptions options{.isolation = isolation,
                             .shape = shape,
                             .sessions = 3,
                             .transactions = 9,
                             .operations = shape == Shape::Ranges ? 2u : 1u,
                             .keys = 4,
                             .seed = seed};
    count += !oracle::allows(generated(options).history, of_oracle(stronger));
  }
  return count;
}

TEST(Rows, ShowWhatTheLevelAllowsAndTheNextOneDoesNot) {
  EXPECT_GE(violations(Shape::Ranges, Level::Rc, Level::Ra), 20);
  EXPECT_GE(violations(Shape::Ranges, Level::Pc, Level::Ser), 20);
  EXPECT_GE(violations(Shape::Predicates, Level::Cc, Level::Psi), 20);
  EXPECT_GE(violations(Shape::Ranges, Level::Ser, Level::StrictSer), 20);
}

std::map<OpKind, std::size_t> kinds(const History& history) {
  std::map<OpKind, std::size_t> count;
  for (const OpId op : history.operations()) ++count[history.kind(op)];
  return count;
}

GeneratorOptions preset(std::string_view workload, std::string_view name, std::size_t transactions) {
  GeneratorOptions options = find_preset(workload, name).value();
  options.transactions = transactions;
  options.seed = 3;
  return options;
}

TEST(Predicates, FindFromOneRowToATenthOfTheTable) {
  const Generated made = generated(preset("blindw", "pred", 200));
  const History& h = made.history;
  std::size_t fewest = SIZE_MAX, most = 0, sum = 0;
  for (const OpId op : h.operations()) {
    ASSERT_TRUE(h.kind(op) == OpKind::Select || h.kind(op) == OpKind::Update);
    fewest = std::min(fewest, h.rows(op).size());
    most = std::max(most, h.rows(op).size());
    sum += h.rows(op).size();
  }
  EXPECT_LT(fewest, 50u);
  EXPECT_GT(most, 900u);
  EXPECT_LE(most, 1250u);
  EXPECT_NEAR(static_cast<double>(sum) / 200, 500, 60);
  EXPECT_NEAR(static_cast<double>(kinds(h)[OpKind::Select]), 100, 30);
  EXPECT_EQ(h.key_count(), 10000u);
  EXPECT_GT(made.committed, 180u) << "updates that find the same rows would refuse each other";
}

TEST(Predicates, WriteValuesThatNobodyElseWrites) {
  const History h = generated(preset("blindw", "pred", 100)).history;
  std::map<std::string, std::size_t> written;
  for (const OpId op : h.operations()) {
    if (h.kind(op) != OpKind::Update) continue;
    for (const KeyValueId row : h.rows(op)) EXPECT_EQ(++written[h.display(h.value(row))], 1u);
  }
  for (const KeyId key : h.keys()) EXPECT_EQ(++written[h.display(h.value(h.initial_value(key)))], 1u);
}

TEST(Ranges, MixInsertsDeletesReadsWritesAndScans) {
  const auto share = [](std::string_view name, OpKind kind) {
    auto count = kinds(generated(preset("range", name, 1000)).history);
    double all = 0;
    for (const auto& [_, number] : count) all += static_cast<double>(number);
    return static_cast<double>(count[kind]) / all;
  };
  for (const OpKind kind : {OpKind::Insert, OpKind::Delete, OpKind::Read, OpKind::Write, OpKind::Scan})
    EXPECT_NEAR(share("B", kind), 0.2, 0.08);
  EXPECT_NEAR(share("RQH", OpKind::Scan), 0.5, 0.05);
  EXPECT_NEAR(share("IDH", OpKind::Delete), 0.35, 0.05);
}

TEST(Ranges, AreOfOneKindInATransactionUnlessTheyAreMixed) {
  const auto of_several_kinds = [](Mix mix) {
    GeneratorOptions options = preset("range", "B", 300);
    options.mix = mix;
    const History h = generated(options).history;
    int count = 0;
    for (const TxnId t : h.transactions()) {
      std::set<OpKind> all;
      for (const OpId op : h.operations(t)) all.insert(h.kind(op));
      count += all.size() > 1;
    }
    return count;
  };
  EXPECT_EQ(of_several_kinds(Mix::Split), 0);
  EXPECT_GT(of_several_kinds(Mix::Mixed), 280);
}

TEST(Ranges, AddKeysOfItsOwnForEachClient) {
  const GeneratorOptions options = preset("range", "IDH", 100);
  std::map<StoreKey, std::size_t> added;  // by whom
  for (std::size_t client = 0; client < 3; ++client) {
    const auto workload = make_workload(options, client, {client, 3});
    StoreKey last(workload->initial_keys() - 1);
    for (int i = 0; i < 200; ++i)
      for (const Workload::Step& step : workload->next_transaction().steps) {
        if (step.asked.action != RowAction::Insert || step.asked.key <= last) continue;
        last = step.asked.key;  // others are brought back
        EXPECT_TRUE(added.emplace(last, client).second);
      }
  }
  EXPECT_GT(added.size(), 500u);
}

TEST(Ranges, DeleteAndInsertAgain) {
  const History h = generated(preset("range", "IDH", 1000)).history;
  std::map<KeyId, int> inserted;
  bool again = false, empty = false;
  for (const OpId op : h.operations()) {
    if (h.kind(op) == OpKind::Insert) again |= ++inserted[h.key(op)] > 1;
    if (h.kind(op) == OpKind::Delete) empty |= h.found(op) == false;
  }
  EXPECT_TRUE(again);
  EXPECT_TRUE(empty);
}

TEST(Rows, AreTheSameForTheSameSeed) {
  const auto text = [](std::uint64_t seed) {
    GeneratorOptions options = preset("range", "B", 50);
    options.seed = seed;
    const History h = generated(options).history;
    std::string all;
    for (const OpId op : h.operations())
      if (h.kind(op) == OpKind::Scan)
        for (const KeyValueId row : h.rows(op))
          all += h.display(h.key(row)) + "=" + h.display(h.value(row)) + " ";
    return all;
  };
  EXPECT_EQ(text(1), text(1));
  EXPECT_NE(text(1), text(2));
}

// Planted rows and what asks for them do not touch the workload's.
TEST(Rows, HideAPlantedPhantomFromAllOthers) {
  for (const Shape shape : {Shape::Predicates, Shape::Ranges})
    for (const Level isolation : {Level::Si, Level::StrictSer})
      for (std::uint64_t seed = 0; seed < 40; ++seed) {
        GeneratorOptions options = small(shape, isolation, seed);
        options.sessions = 3;
        options.transactions += 2;
        options.inject = Anomaly::Phantom;
        const Generated made = generated(options);
        ASSERT_EQ(made.injected.size(), 2u);
        EXPECT_FALSE(oracle::allows(made.history, oracle::Level::plain_ser));
        EXPECT_TRUE(
            oracle::allows(made.history, isolation == Level::Si ? oracle::Level::si : oracle::Level::pc))
            << "seed " << seed;
      }
}

}  // namespace
}  // namespace assay::test
