// The checker on the corpus: every verdict that a file expects, with evidence that stands.
#include <gtest/gtest.h>

#include "check/check.h"
#include "corpus_tests/corpus.h"
#include "support/evidence.h"

namespace assay::test {
namespace {

TEST(CheckCorpus, GivesEveryExpectedVerdictAndItsEvidenceIsCertified) {
  std::size_t judged = 0;
  for (const std::string& path : corpus_paths()) {
    const auto expected = read_case(path);
    ASSERT_TRUE(expected) << expected.error().describe();
    Checker checker(expected->history);
    for (const auto& [level, holds] : expected->holds) {
      const auto verdict = checker.judge(level);
      if (!verdict) continue;  // of a kind that is not judged
      ++judged;
      const auto* order = std::get_if<Holds>(&*verdict);
      ASSERT_EQ(order != nullptr, holds) << path << " at " << id(level);
      const auto certified = certify(expected->history, level, *verdict);
      EXPECT_TRUE(certified) << path << " at " << id(level) << ": " << certified.error().describe();
    }
  }
  EXPECT_GT(judged, 2500u);
}

bool has_lists(const History& h) {
  for (const KeyId key : h.keys())
    if (h.is_list(key)) return true;
  return false;
}

TEST(CheckCorpus, NamesTheAnomaliesOfLists) {
  std::size_t named = 0;
  for (const std::string& path : corpus_paths()) {
    const auto expected = read_case(path);
    ASSERT_TRUE(expected) << expected.error().describe();
    if (!expected->anomaly || !has_lists(expected->history)) continue;
    for (const auto& [level, holds] : expected->holds) {
      if (holds || row(level).needs_instants) continue;
      const auto verdict = check(expected->history, level);
      if (!verdict) continue;
      ++named;
      const auto& fell = std::get<Violated>(*verdict);
      EXPECT_EQ(anomaly_name(fell), expected->anomaly->text())
          << path << " at " << id(level);
    }
  }
  EXPECT_GT(named, 200u);
}

}  // namespace
}  // namespace assay::test
