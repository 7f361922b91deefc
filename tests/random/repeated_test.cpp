// check() against the oracle on histories in which values are written more than once; the evidence of every
// verdict is certified. Counted are only histories with a read that has two possible writers.
#include <gtest/gtest.h>

#include "random/agreement.h"
#include "random/random_history.h"
#include "random/shrink.h"
#include "support/random.h"

namespace assay::test {
namespace {

bool has_open_read(const History& history) {
  const auto facts = read_facts(history, true);
  return facts && std::ranges::any_of(facts->open,
                                      [&](const OpenRead& r) { return facts->candidates_of(r).size() > 1; });
}

// A list of a transaction that may or may not have taken effect shows what no other does.
bool has_possible_order(const History& history) {
  const auto facts = read_facts(history, true);
  return facts && !facts->possibly_observed.empty();
}

void expect_agreement(const std::string& suite, std::size_t histories, const CheckOptions& options,
                      const RandomHistoryOptions& kind = {.lists = false},
                      bool (*is_wanted)(const History&) = has_open_read) {
  Random random(suite_seed(suite));
  Tally tally;
  while (histories > 0) {
    const History history = random_history(random, kind);
    if (!is_wanted(history)) continue;
    --histories;
    for (std::size_t j = 0; j < kJudged.size(); ++j) {
      const auto verdict = Checker(history, options).judge(kJudged[j]);
      ASSERT_TRUE(verdict.has_value());
      tally.add(j, std::holds_alternative<Holds>(*verdict));
      if (const std::string wrong = complaint(history, kJudged[j], options); !wrong.empty())
        FAIL() << wrong << "\n"
               << report_failure("repeated-" + std::string(id(kJudged[j])), history, [&](const History& h) {
                    return !complaint(h, kJudged[j], options).empty();
                  });
    }
  }
  tally.expect_both(10);
}

TEST(RepeatedValues, AreJudgedAsTheOracleDoes) {
  expect_agreement("RepeatedValues", scaled(100000, 3000), {});
}

TEST(RepeatedValues, AreJudgedBySearchAlone) {
  expect_agreement("RepeatedValuesSearch", scaled(30000, 1500), {.greedy = false, .saturation = false});
}

TEST(RepeatedValues, AreJudgedBesideLists) {
  expect_agreement("RepeatedValuesLists", scaled(100000, 1500), {}, {.list_share = 0.5});
}

TEST(RepeatedValues, AreJudgedBesideListsOfTransactionsThatMayCount) {
  const RandomHistoryOptions kind{.list_share = 0.5, .aborted = false, .least_odd_outcomes = 0.5};
  expect_agreement("RepeatedValuesPossibleLists", scaled(30000, 700), {}, kind, has_possible_order);
  expect_agreement("RepeatedValuesPossibleListsSearch", scaled(30000, 700),
                   {.greedy = false, .saturation = false}, kind, has_possible_order);
}

// Many updates of few values of one key: counting them decides before the search does.
TEST(RepeatedValues, AreJudgedWhereUpdatesCrowd) {
  const RandomHistoryOptions kind{
      .least_transactions = 4, .most_transactions = 7, .most_sessions = 7, .most_keys = 1, .lists = false};
  expect_agreement("RepeatedValuesCrowd", scaled(30000, 700), {.greedy = false}, kind);
}

TEST(RepeatedValues, AreJudgedUnderAssumptions) {
  expect_agreement("RepeatedValuesAssumed", scaled(30000, 500),
                   {.greedy = false, .saturation = false, .assumption = {.after = 0, .first_window = 1}});
}

TEST(RepeatedValues, AreJudgedInWindows) {
  expect_agreement("RepeatedValuesInWindows", scaled(30000, 1500),
                   {.greedy = false, .assumption = {.first_window = 1, .fewer_chains = 0}});
}

TEST(RepeatedValues, AreJudgedBySaturationFirst) {
  expect_agreement("RepeatedValuesSaturation", scaled(30000, 1500), {.greedy = false, .saturate_after = 0});
}

}  // namespace
}  // namespace assay::test
