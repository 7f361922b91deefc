// check() against the corpus: verdicts everywhere, names where a file has one.
#include <gtest/gtest.h>

#include "check/check.h"
#include "corpus_tests/corpus.h"

namespace assay::test {
namespace {

bool has_lists(const History& h) {
  for (const KeyId key : h.keys())
    if (h.is_list(key)) return true;
  return false;
}

// Every case that check() judges, at every level that it judges.
template <class Visit>
void for_each_verdict(Visit visit) {
  for (const std::string& path : corpus_paths()) {
    const auto found = read_case(path);
    ASSERT_TRUE(found) << path;
    for (const auto& [level, holds] : found->holds) {
      if (!can_check(level)) continue;
      if (const auto verdict = check(found->history, level)) visit(*found, level, holds, *verdict);
    }
  }
}

TEST(CheckOfTheCorpus, GivesTheExpectedVerdicts) {
  std::size_t judged = 0;
  for_each_verdict([&](const CorpusCase& one, Level level, bool holds, const Verdict& verdict) {
    ++judged;
    EXPECT_EQ(std::holds_alternative<Holds>(verdict), holds) << one.path << " at " << id(level);
  });
  EXPECT_GT(judged, 1000u);
}

TEST(CheckOfTheCorpus, NamesTheAnomaliesOfLists) {
  for_each_verdict([&](const CorpusCase& one, Level level, bool, const Verdict& verdict) {
    const auto* fell = std::get_if<Violated>(&verdict);
    if (fell == nullptr || !one.anomaly || !has_lists(one.history)) return;
    const std::string name = std::string(assay::name(fell->anomaly)) + (fell->needs_session_order ? "-session" : "");
    EXPECT_EQ(name, one.anomaly->text()) << one.path << " at " << id(level);
  });
}

}  // namespace
}  // namespace assay::test
