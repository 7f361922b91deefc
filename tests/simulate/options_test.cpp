#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "simulate/generator.h"
#include "simulate/presets.h"

namespace assay::test {
namespace {

using testing::HasSubstr;

std::string problem(const GeneratorOptions& options) {
  const auto result = generate(options);
  return result ? "" : result.error().describe();
}

TEST(GeneratorOptions, RefusesNonsenseAndSaysWhatToDo) {
  EXPECT_THAT(problem({.sessions = 0}), HasSubstr("sessions is 0 (give at least 1)"));
  EXPECT_THAT(problem({.transactions = 0}), HasSubstr("transactions is 0"));
  EXPECT_THAT(problem({.operations = 0}), HasSubstr("operations is 0"));
  EXPECT_THAT(problem({.keys = 0}), HasSubstr("keys is 0"));
  EXPECT_THAT(problem({.reads = 1.5}), HasSubstr("reads is 1.5 (give a fraction from 0 to 1)"));
  EXPECT_THAT(problem({.reads = -0.1}), HasSubstr("reads is -0.1"));
  EXPECT_THAT(problem({.reads = std::nan("")}), HasSubstr("reads is nan"));
  EXPECT_THAT(problem({.duplicates = 2}), HasSubstr("duplicates is 2"));
  EXPECT_THAT(problem({.aborted = 0.7, .unknown = 0.7}), HasSubstr("together"));
  EXPECT_THAT(problem({.zipf = -1}), HasSubstr("exponent"));
  EXPECT_THAT(problem({.skew = -5}), HasSubstr("skew is -5"));
  EXPECT_THAT(problem({.instants = RecordedInstants::None, .skew = 5}), HasSubstr("no instants"));
  EXPECT_THAT(problem({.operations = 8, .keys = 7, .distinct_keys = true}), HasSubstr("7 keys"));
  EXPECT_THAT(problem({.fewest_operations = 9, .operations = 8}), HasSubstr("exchange"));
  EXPECT_THAT(problem({.duplicates = 0.1, .data = DataKind::Lists}), HasSubstr("duplicate elements"));
  EXPECT_THAT(problem({.transactions = 1000000000, .operations = 1000}), HasSubstr("smaller"));
}

TEST(GeneratorOptions, RefusesLevelsThatNoStoreKeeps) {
  EXPECT_THAT(problem({.isolation = Level::Gsi}), HasSubstr("no store keeps exactly gsi (one of rc, ra"));
}

TEST(GeneratorOptions, RefusesInjectionsThatDoNotFit) {
  EXPECT_THAT(
      problem({.inject = Anomaly::ReadOnly}),
      HasSubstr("read-only cannot be planted: the generator has no transactions for it (one of g0, "));
  EXPECT_THAT(problem({.sessions = 3, .inject = Anomaly::LongFork}),
              HasSubstr("long-fork takes 4 transactions"));
  EXPECT_THAT(problem({.transactions = 1, .inject = Anomaly::LostUpdate}), HasSubstr("lost-update takes 2"));
  EXPECT_EQ(problem({.sessions = 4, .transactions = 4, .inject = Anomaly::LongFork}), "");
}

TEST(Presets, AreAllAcceptedByTheGenerator) {
  for (const PresetRow& row : presets()) {
    GeneratorOptions options = row.options;
    options.transactions = 50;
    EXPECT_EQ(problem(options), "") << row.workload << " " << row.preset;
  }
}

TEST(Presets, HaveTheShapesOfTheirPapers) {
  const auto hd = find_preset("general", "hd");
  ASSERT_TRUE(hd);
  EXPECT_EQ(hd->sessions, 20u);
  EXPECT_EQ(hd->operations, 20u);
  EXPECT_EQ(hd->keys, 5000u);
  EXPECT_EQ(hd->reads, 0.5);
  EXPECT_EQ(hd->duplicates_zipf, 1.5);
  EXPECT_EQ(find_preset("general", "RH")->reads, 0.95);
  EXPECT_EQ(find_preset("general", "WH")->reads, 0.3);
  EXPECT_EQ(find_preset("general", "")->duplicates, 0);

  const auto rm = find_preset("BlindW", "RM");
  ASSERT_TRUE(rm);
  EXPECT_EQ(rm->reads, 0.9);
  EXPECT_EQ(rm->mix, Mix::Split);
  EXPECT_TRUE(rm->distinct_keys);
  EXPECT_EQ(rm->operations, 8u);
  EXPECT_EQ(find_preset("blindw", "RH")->reads, 0.8);

  EXPECT_EQ(find_preset("append", "")->data, DataKind::Lists);

  const auto pred = find_preset("blindw", "pred");
  ASSERT_TRUE(pred);
  EXPECT_EQ(pred->shape, Shape::Predicates);
  EXPECT_EQ(pred->operations, 1u);
  EXPECT_EQ(pred->keys, 10000u);
  EXPECT_EQ(find_preset("range", "idh")->range_mix.inserts, 0.35);
}

TEST(Presets, AreRefusedWhenUnknown) {
  EXPECT_EQ(find_preset("tatp", "").error().describe(),
            "no workload tatp can be generated (one of general, blindw, range, append, twitter, rubis, "
            "smallbank, tpcc)");
  EXPECT_EQ(find_preset("blindw", "BL").error().describe(),
            "workload blindw has no preset BL (one of RM, RW, RH, WH, pred)");
  EXPECT_EQ(find_preset("append", "BL").error().describe(),
            "workload append has no presets (leave the preset out)");
}

}  // namespace
}  // namespace assay::test
