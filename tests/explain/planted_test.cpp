// What `assay generate --inject` plants is what `assay check` finds, in every workload: a table of all
// presets and all anomalies, in which each cell is either found under its own name, or refused for a reason
// that is listed here.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/predicates.h"
#include "explain/explain.h"
#include "isolation/anomaly.h"
#include "simulate/presets.h"
#include "simulate/store.h"

namespace assay::test {
namespace {

// Why this anomaly is refused in this workload; empty: it is planted.
std::string expected_refusal(const PresetRow& preset, Anomaly anomaly) {
  using enum Anomaly;
  for (const Anomaly scriptless :
       {FutureRead, NotOwnWrite, NotOwnLastWrite, NonRepeatableRead, IncompatibleOrder, DuplicateElements,
        GNonadjacent, ReadOnly, PredicateReadMiss, ReadYourWrites, MonotonicReads, MonotonicWrites,
        WritesFollowReads, ClockContradiction})
    if (anomaly == scriptless) return "the generator has no transactions for it";
  const bool rows = preset.workload == "range" || (preset.workload == "blindw" && preset.preset == "pred");
  if (anomaly == G0 && rows) return "g0 cannot be planted among rows";
  return "";
}

struct Variation {
  Level isolation;
  RecordedInstants instants;
  std::size_t transactions;
  std::uint64_t seed;
};

GeneratorOptions options_of(const PresetRow& preset, Anomaly anomaly, const Variation& variation) {
  GeneratorOptions o = preset.options;
  o.sessions = 5;
  o.transactions = variation.transactions;
  // Few rows, so that statements of different transactions meet.
  if (has_rows(o.shape)) o.keys = 40;
  o.isolation = variation.isolation;
  o.instants = variation.instants;
  o.seed = variation.seed;
  o.inject = anomaly;
  return o;
}

class Planted : public testing::TestWithParam<PresetRow> {
 protected:
  static void expect_found(const History& history, Anomaly anomaly, const Variation& variation) {
    // What the store keeps: the level, or ser where the level allows the anomaly.
    const Level kept = rules_out(anomaly, variation.isolation) ? variation.isolation : Level::Ser;
    PredicateChecker checker(history);
    for (const LevelRow& level : levels()) {
      if (level.needs_instants() && variation.instants == RecordedInstants::None) continue;
      const bool broken = rules_out(anomaly, level.level), otherwise_kept = implies(kept, level.level);
      if (!broken && !otherwise_kept) continue;
      const auto where =
          fmt::format("{} at {} of a history of {}, {} transactions, seed {}", name(anomaly), level.id,
                      id(variation.isolation), variation.transactions, variation.seed);
      const auto verdict = judge_and_name(checker, level.level);
      ASSERT_TRUE(verdict) << where;
      ASSERT_FALSE(std::holds_alternative<Undecided>(*verdict)) << where;
      ASSERT_EQ(std::holds_alternative<Violated>(*verdict), broken) << where;
      // The whole name: a planted anomaly needs neither sessions nor clocks.
      if (broken && otherwise_kept) {
        EXPECT_EQ(explain(checker.subject()->checker, level.level, std::get<Violated>(*verdict)).name,
                  name(anomaly))
            << where;
      }
    }
  }
};

TEST_P(Planted, IsFoundUnderItsNameOrRefusedForAReason) {
  std::size_t turn = 0;
  for (std::size_t i = 0; i < 3 * anomalies().size(); ++i) {
    const AnomalyRow& anomaly = anomalies()[i % anomalies().size()];
    const std::string refusal = expected_refusal(GetParam(), anomaly.anomaly);
    // Each anomaly meets another part of the levels; the three sizes and clocks are met by all.
    for (const auto& [instants, transactions] :
         {std::pair(RecordedInstants::None, 12), std::pair(RecordedInstants::BeginAndEnd, 25),
          std::pair(RecordedInstants::All, 60)}) {
      const Variation variation{simulated_levels()[turn++ % simulated_levels().size()], instants,
                                static_cast<std::size_t>(transactions), turn};
      const auto made = generate(options_of(GetParam(), anomaly.anomaly, variation));
      if (!refusal.empty()) {
        ASSERT_FALSE(made) << anomaly.name;
        EXPECT_THAT(made.error().describe(), testing::HasSubstr(refusal)) << anomaly.name;
        continue;
      }
      ASSERT_TRUE(made) << anomaly.name << ": " << made.error().describe();
      expect_found(made->history, anomaly.anomaly, variation);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Planted, testing::ValuesIn(presets().begin(), presets().end()),
                         [](const auto& param) {
                           return std::string(param.param.workload) +
                                  (param.param.preset.empty() ? "" : "_" + std::string(param.param.preset));
                         });

}  // namespace
}  // namespace assay::test
