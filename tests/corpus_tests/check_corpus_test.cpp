// The checker on the corpus: every verdict that a file expects, and that of the oracle where a file says
// nothing, with evidence that stands.
#include <gtest/gtest.h>

#include "corpus_tests/corpus.h"
#include "explain/name.h"
#include "support/evidence.h"
#include "support/oracle_level.h"

namespace assay::test {
namespace {

TEST(CheckCorpus, GivesEveryExpectedVerdictAndItsEvidenceIsCertified) {
  std::size_t judged = 0;
  for (const std::string& path : corpus_paths()) {
    const auto expected = read_case(path);
    ASSERT_TRUE(expected) << expected.error().describe();
    PredicateChecker checker(expected->history);  // which judges what has none as it is
    for (const Level level : judged_levels(expected->history)) {
      const auto said = expected->holds.find(level);
      const bool holds =
          said != expected->holds.end() ? said->second : oracle::allows(expected->history, of_oracle(level));
      const auto verdict = checker.judge(level);
      if (!verdict) continue;  // it has no clocks
      ++judged;
      const auto* order = std::get_if<Holds>(&*verdict);
      ASSERT_EQ(order != nullptr, holds) << path << " at " << id(level);
      const auto certified = certify_as_text(expected->history, checker.section());
      EXPECT_TRUE(certified) << path << " at " << id(level) << ": " << certified.error().describe();
    }
  }
  EXPECT_GT(judged, 2500u);
}

// At rc x is read again; from ra up two reads are enough. An unknown transaction with a wrong read of its own
// did not take effect, so that what was read from it was never written.
bool has_another_name(const std::string& path, Level level) {
  return (path.ends_with("crosswise-and-again.hist") && level != Level::Rc) ||
         path.ends_with("non-repeatable-read-of-its-own.hist");
}

TEST(CheckCorpus, NamesTheAnomaly) {
  std::size_t named = 0;
  for (const std::string& path : corpus_paths()) {
    const auto expected = read_case(path);
    ASSERT_TRUE(expected) << expected.error().describe();
    if (!expected->anomaly) continue;
    for (const auto& [level, holds] : expected->holds) {
      if (holds || has_another_name(path, level)) continue;
      PredicateChecker checker(expected->history);
      const auto verdict = judge_and_name(checker, level);
      if (!verdict) continue;
      ++named;
      EXPECT_EQ(anomaly_name(std::get<Violated>(*verdict)), expected->anomaly->text())
          << path << " at " << id(level);
    }
  }
  EXPECT_GT(named, 700u);
}

}  // namespace
}  // namespace assay::test
