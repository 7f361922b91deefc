// Every violation of the corpus, explained: the explanation is true, its name follows from its definition,
// and its part is violated and minimal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/predicates.h"
#include "corpus_tests/corpus.h"
#include "history/edit.h"
#include "history_io/format.h"
#include "support/anomaly_definitions.h"
#include "support/explained.h"

namespace assay::test {
namespace {

TEST(ExplainCorpus, EveryViolationHasATrueStory) {
  std::size_t explained = 0;
  for (const std::string& path : corpus_paths()) {
    const auto expected = read_case(path);
    ASSERT_TRUE(expected) << expected.error().describe();
    Checker checker(expected->history);
    for (const auto& [level, holds] : expected->holds) {
      if (holds) continue;
      const auto verdict = judge_and_name(checker, level);
      if (!verdict) continue;  // of a kind that is not judged
      const auto& fell = std::get<Violated>(*verdict);
      const Explanation e = explain(checker, level, fell);
      ++explained;
      EXPECT_THAT(ExplanationCheck(expected->history, level, fell, e).problems(), testing::IsEmpty())
          << path << " at " << id(level);
      EXPECT_EQ(AnomalyDefinition(e).complaint(), "") << path << " at " << id(level);
    }
  }
  EXPECT_GT(explained, 1000u);
}

TEST(ExplainCorpus, TheExampleOfEachAnomalyHasItsName) {
  for (const AnomalyRow& anomaly : anomalies()) {
    const auto history =
        read_history(ByteSource::from_memory("example", std::string(anomaly.example)), find_format("hist"));
    ASSERT_TRUE(history) << anomaly.name;
    for (const Level weakest : anomaly.rules_out) {
      PredicateChecker checker(*history);
      const auto verdict = judge_and_name(checker, weakest);
      ASSERT_TRUE(verdict && std::holds_alternative<Violated>(*verdict))
          << anomaly.name << " at " << id(weakest);
      EXPECT_EQ(anomaly_name(std::get<Violated>(*verdict)), anomaly.name) << id(weakest);
    }
  }
}

// Leaving out any transaction, with the reads of what it wrote, leaves nothing to explain.
TEST(ExplainCorpus, NoTransactionOfAPartCanBeLeftOut) {
  for (const std::string& path : corpus_paths()) {
    const auto expected = read_case(path);
    ASSERT_TRUE(expected) << expected.error().describe();
    Checker checker(expected->history);
    const auto verdict = judge_and_name(checker, Level::Ser);
    const auto* fell = verdict ? std::get_if<Violated>(&*verdict) : nullptr;
    if (fell == nullptr) continue;
    const Explanation e = explain(checker, Level::Ser, *fell);
    for (const TxnId left_out : e.part.transactions()) {
      const auto wrote = [&](KeyValueId value) {
        for (const OpId op : e.part.operations(left_out))
          if (is_item_write(e.part.kind(op)) && e.part.value(op) == value) return true;
        return false;
      };
      const History rest = restrict(
          e.part, [&](TxnId t) { return t != left_out; },
          [&](OpId op) { return e.part.kind(op) != OpKind::Read || !wrote(e.part.value(op)); });
      bool shows_lost_elements = false;
      for (const OpId op : rest.operations())
        if (rest.kind(op) == OpKind::ListRead && !rest.rows(op).empty()) shows_lost_elements = true;
      if (shows_lost_elements) continue;
      Checker rest_checker(rest);
      const auto again = judge_and_name(rest_checker, Level::Ser);
      const auto* still = again ? std::get_if<Violated>(&*again) : nullptr;
      EXPECT_FALSE(still != nullptr && anomaly_name(*still) == e.name)
          << path << " without " << e.part.display(left_out);
    }
  }
}

}  // namespace
}  // namespace assay::test
