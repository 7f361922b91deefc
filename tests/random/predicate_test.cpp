// check() against the oracle on histories of rows and predicates; the evidence of every verdict is certified.
#include <gtest/gtest.h>

#include "history/matches.h"
#include "random/agreement.h"
#include "random/random_predicate_history.h"
#include "random/shrink.h"
#include "support/oracle_level.h"
#include "support/random.h"

namespace assay::test {
namespace {

bool has_rows(const History& history) {
  for (const OpId op : history.operations())
    if (history.kind(op) >= OpKind::Insert) return true;
  return false;
}

// A history that mentions rows; all that the generator makes mean something.
History history_of_rows(Random& random) {
  while (true) {
    History history = random_predicate_history(random);
    if (!has_rows(history)) continue;
    const auto meaningful = check_predicates(history);
    EXPECT_TRUE(meaningful) << meaningful.error().describe();
    return history;
  }
}

void expect_agreement(const std::string& suite, std::size_t histories, const CheckOptions& options) {
  Random random(suite_seed(suite));
  Tally tally;
  for (; histories > 0; --histories) {
    const History history = history_of_rows(random);
    for (std::size_t j = 0; j < kJudged.size(); ++j) {
      const auto verdict = Checker(history, options).judge(kJudged[j]);
      if (!verdict)
        GTEST_SKIP() << "NOT TESTED: check does not judge predicates: " << verdict.error().describe();
      tally.add(j, std::holds_alternative<Holds>(*verdict));
      if (const std::string wrong = complaint(history, kJudged[j], options); !wrong.empty())
        FAIL() << wrong << "\n"
               << report_failure("predicates-" + std::string(id(kJudged[j])), history, [&](const History& h) {
                    return !complaint(h, kJudged[j], options).empty();
                  });
    }
  }
  tally.expect_both(25);
}

TEST(Predicates, AreJudgedAsTheOracleDoes) { expect_agreement("Predicates", scaled(50000, 1500), {}); }

TEST(Predicates, AreJudgedBySearchAlone) {
  expect_agreement("PredicatesSearch", scaled(20000, 700), {.greedy = false, .saturation = false});
}

TEST(Predicates, AreJudgedBySaturationFirst) {
  expect_agreement("PredicatesSaturation", scaled(20000, 700), {.greedy = false, .saturate_after = 0});
}

// Without both, agreement would say little.
TEST(RandomPredicateHistories, HoldAndFallAtEveryLevel) {
  Random random(suite_seed("RandomPredicateHistories"));
  Tally tally;
  const std::size_t histories = scaled(5000, 600);
  for (std::size_t i = 0; i < histories; ++i) {
    const History history = history_of_rows(random);
    for (std::size_t j = 0; j < kJudged.size(); ++j)
      tally.add(j, oracle::allows(history, of_oracle(kJudged[j])));
  }
  tally.expect_both(histories / 8);
}

}  // namespace
}  // namespace assay::test
