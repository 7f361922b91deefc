// The histories of bench/hard_histories.h are what they claim to be: small ones against the oracle, larger
// formulas against trying all values of their variables. And the checker judges them rightly, with evidence,
// alone and in company.
#include "hard_histories.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "check/check.h"
#include "oracle/oracle.h"
#include "random/shrink.h"
#include "support/evidence.h"
#include "support/random.h"

namespace assay::test {
namespace {

constexpr std::pair<Level, oracle::Level> kLevels[] = {{Level::Ser, oracle::Level::ser},
                                                       {Level::Si, oracle::Level::si}};

bool is_satisfied(const Formula& formula, std::uint64_t values) {
  return std::ranges::all_of(formula.clauses, [&](const std::vector<int>& clause) {
    return std::ranges::any_of(
        clause, [&](int literal) { return (values >> (std::abs(literal) - 1) & 1) == (literal > 0); });
  });
}

bool is_satisfiable(const Formula& formula) {
  for (std::uint64_t values = 0; values < std::uint64_t{1} << formula.variables; ++values)
    if (is_satisfied(formula, values)) return true;
  return false;
}

// What is wrong with the verdict, or nothing.
std::string complaint(const History& history, Level level, bool expected, const CheckOptions& options) {
  const auto verdict = Checker(history, options).judge(level);
  if (!verdict) return verdict.error().describe();
  if (std::holds_alternative<Holds>(*verdict) != expected) return expected ? "it holds" : "it is violated";
  const auto certified = certify(history, level, *verdict);
  return certified ? "" : certified.error().describe();
}

const CheckOptions kAlone{}, kTogether{.portfolio = {.searches = 3, .alone = std::chrono::seconds(0)}};

TEST(HardHistories, AFormulaHoldsIfItCanBeSatisfied) {
  Random random(suite_seed("HardFormulas"));
  std::size_t held = 0, fell = 0;
  for (std::size_t i = scaled(20000, 400); i > 0; --i) {
    const std::size_t width = 1 + random.below(3), variables = width + random.below(6);
    const double threshold[] = {0.8, 1.2, 4.26};
    const auto most =
        static_cast<std::size_t>(std::ceil(2 * threshold[width - 1] * static_cast<double>(variables)));
    const Formula formula = random_formula(random, variables, 1 + random.below(most), width);
    const bool expected = is_satisfiable(formula);
    ++(expected ? held : fell);
    const History history = history_of(formula, random);
    for (const Level level : {Level::Ser, Level::Si})
      ASSERT_EQ(complaint(history, level, expected, random.chance(0.8) ? kAlone : kTogether), "")
          << id(level);
  }
  std::printf("%zu held, %zu fell\n", held, fell);
  EXPECT_GT(held, 100u);
  EXPECT_GT(fell, 50u);
}

TEST(HardHistories, PigeonsNeverFit) {
  Random random(1);
  for (const std::size_t holes : {1, 2, 3, 4})
    for (const Level level : {Level::Ser, Level::Si})
      EXPECT_EQ(complaint(history_of(pigeons(holes), random), level, false, kTogether), "");
}

// The smallest: each occurrence of a literal has three transactions, and each variable two.
TEST(HardHistories, TheSmallestFormulasAreJudgedAsTheOracleDoes) {
  const Formula formulas[] = {{1, {{1}}},        {1, {{-1}}},         {1, {{1}, {-1}}},
                              {1, {{1}, {1}}},   {1, {{1, -1}}},      {2, {{1, 2}}},
                              {2, {{-1, 2}}},    {2, {{1}, {-2}}},    {2, {{1, 2}, {-1}}},
                              {3, {{1, -2, 3}}}, {1, {{1, 1}, {-1}}}, {2, {{1}, {-1, 2}, {-2}}}};
  Random random(1);
  for (const Formula& formula : formulas)
    for (const auto& [level, same] : kLevels) {
      const History history = history_of(formula, random);
      EXPECT_EQ(oracle::allows(history, same), is_satisfiable(formula));
      EXPECT_EQ(complaint(history, level, is_satisfiable(formula), kAlone), "");
    }
}

TEST(HardHistories, ForgottenExecutionsAreJudgedAsTheOracleDoes) {
  Random random(suite_seed("ForgottenExecutions"));
  std::size_t held = 0, fell = 0;
  for (std::size_t i = scaled(20000, 400); i > 0; --i) {
    const ForgottenExecution shape{.transactions = 3 + random.below(5),
                                   .keys = 2 + random.below(3),
                                   .writes = 1 + random.below(2),
                                   .reads = 1 + random.below(2),
                                   .values = random.below(4),
                                   .disturbed = random.chance(0.7)};
    const History history = history_of(shape, random);
    for (const auto& [level, same] : kLevels) {
      const bool expected = oracle::allows(history, same);
      ++(expected ? held : fell);
      ASSERT_TRUE(expected || shape.disturbed);
      const std::string wrong = complaint(history, level, expected, kAlone);
      if (!wrong.empty())
        FAIL() << wrong << "\n"
               << report_failure(
                      "forgotten-" + std::string(id(level)), history,
                      [&, &oracle_level = same, &judged = level](const History& h) {
                        return !complaint(h, judged, oracle::allows(h, oracle_level), kAlone).empty();
                      });
    }
  }
  std::printf("%zu held, %zu fell\n", held, fell);
  EXPECT_GT(held, 100u);
  EXPECT_GT(fell, 50u);
}

}  // namespace
}  // namespace assay::test
