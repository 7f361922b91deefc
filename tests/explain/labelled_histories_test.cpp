// The recorded bugs beside the project: real histories shrink to a handful of transactions, and their stories
// are true.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "history_io/format.h"
#include "support/explained.h"
#include "support/paths.h"

namespace assay {
namespace {

TEST(RecordedBugs, AreExplainedByAHandfulOfTransactions) {
  const std::filesystem::path folder = test::source_dir() + "/../shared/histories/bugs";
  if (!std::filesystem::exists(folder)) {
    std::printf("NO RECORDED BUGS BESIDE THE PROJECT: nothing was explained\n");
    GTEST_SKIP();
  }
  std::size_t explained = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto history = read_history(entry.path().string());
    ASSERT_TRUE(history) << history.error().describe();
    Checker checker(*history);
    for (const LevelRow& row : levels()) {
      if (row.needs_instants()) continue;
      SCOPED_TRACE(entry.path().filename().string() + " at " + std::string(row.id));
      const auto verdict = judge_and_name(checker, row.level);
      ASSERT_TRUE(verdict) << verdict.error().describe();
      const auto* fell = std::get_if<Violated>(&*verdict);
      if (fell == nullptr) continue;
      const Explanation e = explain(checker, row.level, *fell);
      ++explained;
      EXPECT_LE(e.part.transaction_count(), 9u);
      EXPECT_THAT(test::ExplanationCheck(*history, row.level, *fell, e).problems(), testing::IsEmpty());
    }
  }
  EXPECT_GT(explained, 8u);
}

}  // namespace
}  // namespace assay
