// The corpus against the oracle, and the corpus against what it promises to cover.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "corpus_tests/corpus.h"
#include "support/oracle_level.h"

namespace assay::test {
namespace {

const std::vector<CorpusCase>& corpus() {
  static const std::vector<CorpusCase> cases = [] {
    std::vector<CorpusCase> read;
    for (const std::string& path : corpus_paths()) {
      auto found = read_case(path);
      if (found) read.push_back(*std::move(found));
      else ADD_FAILURE() << found.error().describe();
    }
    return read;
  }();
  return cases;
}

std::string_view verdict(bool holds) { return holds ? "holds" : "violated"; }

TEST(Corpus, EveryFileIsACase) { EXPECT_EQ(corpus().size(), corpus_paths().size()); }

TEST(Corpus, TakesInTheExamples) {
  EXPECT_EQ(std::ranges::count(corpus_paths(), "examples/read-skew.hist"), 1);
}

TEST(Corpus, OracleGivesTheExpectedVerdictAtEveryLevel) {
  for (const CorpusCase& one : corpus())
    for (const auto& [level, holds] : one.holds)
      EXPECT_EQ(verdict(oracle::allows(one.history, of_oracle(level))), verdict(holds))
          << one.path << " at " << id(level) << ": the oracle's verdict first, the file's second";
}

// What needs a session or the clock to close its circle spares the levels without them.
bool can_rule_out(const ExpectedAnomaly& expected, Level level) {
  if (expected.suffix == "-session" && !row(level).session_order()) return false;
  if (expected.suffix == "-realtime") return level == Level::StrictSer;
  return rules_out(expected.anomaly, level);
}

TEST(Corpus, AnomaliesViolateTheLevelsThatTheyRuleOut) {
  for (const CorpusCase& one : corpus())
    for (const auto& [level, holds] : one.holds)
      EXPECT_FALSE(one.anomaly && holds && can_rule_out(*one.anomaly, level))
          << one.path << ": " << one.anomaly->text() << " rules out " << id(level);
}

TEST(Corpus, HasEveryAnomaly) {
  std::set<Anomaly> seen;
  for (const CorpusCase& one : corpus())
    if (one.anomaly) seen.insert(one.anomaly->anomaly);
  for (const AnomalyRow& row : anomalies())
    EXPECT_TRUE(seen.contains(row.anomaly) || row.anomaly == Anomaly::Phantom) << row.name;
}

TEST(Corpus, IsLargeAndHasManyHistoriesThatHoldEverywhere) {
  const auto sound = std::ranges::count_if(corpus(), [](const CorpusCase& one) {
    return std::ranges::all_of(one.holds, [](const auto& entry) { return entry.second; });
  });
  const auto timed = std::ranges::count_if(
      corpus(), [](const CorpusCase& one) { return one.holds.contains(Level::StrictSer); });
  EXPECT_GE(corpus().size(), 150u);
  EXPECT_GE(sound, 50);
  EXPECT_GE(timed, 25);
}

TEST(Corpus, HasAHistoryBetweenAnyTwoLevelsOfWhichOneDoesNotImplyTheOther) {
  for (const LevelRow& a : levels())
    for (const LevelRow& b : levels()) {
      const bool separated = std::ranges::any_of(corpus(), [&](const CorpusCase& one) {
        const auto in_a = one.holds.find(a.level), in_b = one.holds.find(b.level);
        return in_a != one.holds.end() && in_b != one.holds.end() && in_a->second && !in_b->second;
      });
      EXPECT_EQ(separated, !implies(a.level, b.level)) << a.id << " without " << b.id;
    }
}

}  // namespace
}  // namespace assay::test
