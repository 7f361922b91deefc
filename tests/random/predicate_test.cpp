// check() against the oracle on histories of rows and predicates; the evidence of every verdict is certified,
// by way of the text that a user would have.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "certify/certify.h"
#include "certify/parse.h"
#include "check/predicates.h"
#include "history/digest.h"
#include "history/matches.h"
#include "random/agreement.h"
#include "random/random_predicate_history.h"
#include "random/shrink.h"
#include "support/evidence.h"
#include "support/oracle_level.h"
#include "support/random.h"
#include "support/round_trip.h"

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

std::string wrong_verdict(PredicateChecker& checker, const History& history, Level level,
                          std::int64_t skew = 0) {
  const auto verdict = checker.judge(level);
  if (!verdict) return verdict.error().describe();
  if (std::holds_alternative<Undecided>(*verdict)) return "undecided";
  const bool holds = std::holds_alternative<Holds>(*verdict);
  if (holds != oracle::allows(history, of_oracle(level), {.skew = skew}))
    return holds ? "holds, says check" : "violated, says check";
  const auto certified = certify_as_text(history, checker.section());
  return certified ? "" : certified.error().describe();
}

std::string wrong_verdict(const History& history, Level level, const CheckOptions& options) {
  PredicateChecker checker(history, options);
  return wrong_verdict(checker, history, level, options.skew);
}

// All levels with one checker, which makes more reads as it goes on, from the strongest or from the weakest
// on.
std::string wrong_together(const History& history, const CheckOptions& options, bool strongest_first) {
  PredicateChecker checker(history, options);
  for (std::size_t j = 0; j < kJudged.size(); ++j) {
    const Level level = kJudged[strongest_first ? kJudged.size() - 1 - j : j];
    if (const std::string wrong = wrong_verdict(checker, history, level); !wrong.empty())
      return std::string(id(level)) + " after others: " + wrong;
  }
  return "";
}

void expect_agreement(const std::string& suite, std::size_t histories, const CheckOptions& options,
                      const RandomPredicateOptions& made = {}) {
  Random random(suite_seed(suite));
  Tally tally;
  for (; histories > 0; --histories) {
    const History history = history_of_rows(random, made);
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

// Many updates of which only the statement is known, most of them by themselves in their transaction.
constexpr RandomPredicateOptions kUpdateMaybes{
    .most_keys = 2, .most_operations = 2, .most_possible_rows = 7, .update_maybes = 0.4};

TEST(Predicates, UpdatesThatMayHaveChangedRowsAreJudgedAsTheOracleDoes) {
  expect_agreement("PredicatesMaybe", scaled(20000, 700), {}, kUpdateMaybes);
}

TEST(Predicates, UpdatesThatMayHaveChangedRowsAreJudgedBySearchAlone) {
  expect_agreement("PredicatesMaybeSearch", scaled(20000, 700), {.greedy = false, .saturation = false},
                   kUpdateMaybes);
}

TEST(Predicates, UpdatesThatMayHaveChangedRowsAreJudgedWithAllChoices) {
  expect_agreement("PredicatesMaybeAll", scaled(20000, 700), {.greedy = false, .lazy_choices = false},
                   kUpdateMaybes);
}

// Their proofs speak of conditional writes, of what decides them, and of counts; otherwise agreement would
// say little.
TEST(Predicates, ProofsSpeakOfConditionalWrites) {
  using Kind = Rule;
  constexpr std::array kinds{Kind::Took,    Kind::Left,    Kind::Matched, Kind::Unmatched,
                             Kind::Implies, Kind::TooMany, Kind::TooFew};
  std::array<std::size_t, kinds.size()> proofs{};
  Random random(suite_seed("PredicatesMaybeProofs"));
  for (std::size_t histories = scaled(20000, 12000); histories > 0; --histories) {
    const History history = history_of_rows(random, kUpdateMaybes);
    for (const Level level : {Level::Ser, Level::Si}) {
      PredicateChecker checker(history, {.greedy = false, .saturation = random.chance(0.5)});
      const auto verdict = checker.judge(level);
      if (!verdict || !std::holds_alternative<Violated>(*verdict)) continue;
      const Section section = checker.section();
      if (section.completion.rows.empty()) continue;
      const auto certified = certify_as_text(history, section);
      ASSERT_TRUE(certified) << certified.error().describe();
      for (std::size_t k = 0; k < kinds.size(); ++k)
        proofs[k] += uses(std::get<Proof>(section.evidence), kinds[k]);
    }
  }
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    std::printf("%s: %zu proofs\n", std::string(name(kinds[k])).c_str(), proofs[k]);
    EXPECT_GT(proofs[k], 0u) << name(kinds[k]);
  }
}

// A proof about one history, held against others that are nearly the same and do satisfy the level: none is
// accepted.
TEST(Predicates, ProofsAboutConditionalWritesAreRefusedWhereTheLevelHolds) {
  Random random(suite_seed("PredicatesMaybeOthers"));
  std::size_t tried = 0;
  for (std::size_t histories = scaled(20000, 3000); histories > 0; --histories) {
    const History history = history_of_rows(random, kUpdateMaybes);
    const Level level = random.chance(0.5) ? Level::Ser : Level::Si;
    PredicateChecker checker(history, {.greedy = false, .saturation = random.chance(0.5)});
    const auto verdict = checker.judge(level);
    if (!verdict || !std::holds_alternative<Violated>(*verdict)) continue;
    const Section section = checker.section();
    if (section.completion.rows.empty()) continue;
    const std::string proof = print({0, {section}}, history);
    const std::string text = write_text(history, "hist").value();
    for (std::size_t j = 0; j < 4 * text.size(); ++j) {
      const std::size_t i = j / 4;
      if (text[i] < '0' || text[i] > '9') continue;
      std::string other = text;
      other[i] = static_cast<char>('0' + random.below(10));
      const auto changed = read_text(other, "hist");
      if (!changed || !has_rows_or_predicates(*changed) || !check_predicates(*changed)) continue;
      if (!oracle::allows(*changed, of_oracle(level))) continue;
      auto parsed = parse_certificate(proof, *changed);
      if (!parsed) continue;
      parsed->history = digest(*changed);
      ++tried;
      ASSERT_FALSE(certify(*changed, *parsed)) << other << "\n" << proof;
    }
  }
  std::printf("%zu tried\n", tried);
  EXPECT_GT(tried, 5u);
}

// Nothing is said of histories whose clocks contradict their sessions: they are refused.
TEST(Predicates, AreJudgedAsTheOracleDoesInRealTime) {
  const std::vector<Level>& judged = levels_of_real_time();
  Random random(suite_seed("PredicatesInTime"));
  std::array<std::size_t, kLevelCount> held{}, fell{};
  for (std::size_t histories = scaled(20000, 1000); histories > 0; --histories) {
    const History history =
        history_of_rows(random, {.update_maybes = random.chance(0.3) ? 0.3 : 0, .instants = true});
    CheckOptions options;
    options.skew = static_cast<std::int64_t>(random.below(2) * random.below(12));
    for (std::size_t j = 0; j < judged.size(); ++j) {
      if (!PredicateChecker(history, options).can_judge(judged[j])) continue;
      ++(oracle::allows(history, of_oracle(judged[j]), {.skew = options.skew}) ? held : fell)[j];
      if (const std::string wrong = wrong_verdict(history, judged[j], options); !wrong.empty())
        FAIL() << wrong << " with skew " << options.skew << "\n"
               << report_failure("predicates-" + std::string(id(judged[j])), history, [&](const History& h) {
                    return !wrong_verdict(h, judged[j], options).empty();
                  });
    }
  }
  for (std::size_t j = 0; j < judged.size(); ++j) {
    std::printf("%s: %zu held, %zu fell\n", id(judged[j]).data(), held[j], fell[j]);
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
