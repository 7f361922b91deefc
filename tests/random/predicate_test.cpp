// check() against the oracle on histories of rows and predicates; the evidence of every verdict is certified, by way of the
// text that a user would have.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "check/predicates.h"
#include "history/digest.h"
#include "history/matches.h"
#include "random/agreement.h"
#include "random/random_predicate_history.h"
#include "random/shrink.h"
#include "support/evidence.h"
#include "support/oracle_level.h"
#include "support/random.h"
#include "verdict/certify.h"

namespace assay::test {
namespace {

// All that the generator makes mean something.
History history_of_rows(Random& random, const RandomPredicateOptions& options = {}) {
  while (true) {
    History history = random_predicate_history(random, options);
    if (!has_rows_or_predicates(history)) continue;
    const auto meaningful = check_predicates(history);
    EXPECT_TRUE(meaningful) << meaningful.error().describe();
    return history;
  }
}

std::string wrong_verdict(PredicateChecker& checker, const History& history, Level level, std::int64_t skew = 0) {
  const auto verdict = checker.judge(level);
  if (!verdict) return verdict.error().describe();
  if (std::holds_alternative<Undecided>(*verdict)) return "undecided";
  const bool holds = std::holds_alternative<Holds>(*verdict);
  if (holds != oracle::allows(history, of_oracle(level), {.skew = skew})) return holds ? "holds, says check" : "violated, says check";
  const auto certified = certify_as_text(history, checker.section(level, *verdict));
  return certified ? "" : certified.error().describe();
}

std::string wrong_verdict(const History& history, Level level, const CheckOptions& options) {
  PredicateChecker checker(history, options);
  return wrong_verdict(checker, history, level, options.skew);
}

// All levels with one checker, which makes more reads as it goes on, from the strongest or from the weakest on.
std::string wrong_together(const History& history, const CheckOptions& options, bool strongest_first) {
  PredicateChecker checker(history, options);
  for (std::size_t j = 0; j < kJudged.size(); ++j) {
    const Level level = kJudged[strongest_first ? kJudged.size() - 1 - j : j];
    if (const std::string wrong = wrong_verdict(checker, history, level); !wrong.empty())
      return std::string(id(level)) + " after others: " + wrong;
  }
  return "";
}

void expect_agreement(const std::string& suite, std::size_t histories, const CheckOptions& options) {
  Random random(suite_seed(suite));
  Tally tally;
  for (; histories > 0; --histories) {
    const History history = history_of_rows(random);
    for (const bool strongest_first : {false, true})
      if (const std::string wrong = wrong_together(history, options, strongest_first); !wrong.empty())
        FAIL() << wrong << "\n"
               << report_failure("predicates-together", history, [&](const History& h) {
                    return !wrong_together(h, options, strongest_first).empty();
                  });
    for (std::size_t j = 0; j < kJudged.size(); ++j) {
      tally.add(j, oracle::allows(history, of_oracle(kJudged[j])));
      if (const std::string wrong = wrong_verdict(history, kJudged[j], options); !wrong.empty())
        FAIL() << wrong << "\n"
               << report_failure("predicates-" + std::string(id(kJudged[j])), history, [&](const History& h) {
                    return !wrong_verdict(h, kJudged[j], options).empty();
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

// Nothing is said of histories whose clocks contradict their sessions: they are refused.
TEST(Predicates, AreJudgedAsTheOracleDoesInRealTime) {
  constexpr std::array kInTime{Level::Gsi, Level::SessionSi, Level::StrongSi, Level::StrictSer};
  Random random(suite_seed("PredicatesInTime"));
  std::array<std::size_t, kInTime.size()> held{}, fell{};
  for (std::size_t histories = scaled(20000, 1000); histories > 0; --histories) {
    const History history = history_of_rows(random, {.instants = true});
    CheckOptions options;
    options.skew = static_cast<std::int64_t>(random.below(2) * random.below(12));
    for (std::size_t j = 0; j < kInTime.size(); ++j) {
      if (!PredicateChecker(history, options).can_judge(kInTime[j])) continue;
      ++(oracle::allows(history, of_oracle(kInTime[j]), {.skew = options.skew}) ? held : fell)[j];
      if (const std::string wrong = wrong_verdict(history, kInTime[j], options); !wrong.empty())
        FAIL() << wrong << " with skew " << options.skew << "\n"
               << report_failure("predicates-" + std::string(id(kInTime[j])), history, [&](const History& h) {
                    return !wrong_verdict(h, kInTime[j], options).empty();
                  });
    }
  }
  for (std::size_t j = 0; j < kInTime.size(); ++j) {
    std::printf("%s: %zu held, %zu fell\n", id(kInTime[j]).data(), held[j], fell[j]);
    EXPECT_GT(held[j], 25u);
    EXPECT_GT(fell[j], 25u);
  }
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
