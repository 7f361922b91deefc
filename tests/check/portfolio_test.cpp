// Several searches at once: whose answer counts, and that all of them end.
#include "check/portfolio.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "check/check.h"
#include "hard_histories.h"
#include "support/evidence.h"
#include "support/hist.h"

namespace assay {
namespace {

using test::hist;

// What the searches of one history share, at ser.
class Problem {
 public:
  explicit Problem(History history) : history_(std::move(history)) {}

  std::unique_ptr<WriteOrder> search(const SolverSettings& settings) const {
    return std::make_unique<WriteOrder>(history_, facts_, versions_, rules_, known_, guess_, settings);
  }

 private:
  History history_;
  ReadFacts facts_ = read_facts(history_, true).value();
  VersionIndex versions_{facts_, history_.key_count()};
  PointRules rules_{};
  KnownGraph known_ = known_graph(history_, facts_, rules_);
  Guess guess_ = guess_order(history_, facts_, rules_).value();
};

// Far more than anybody waits for.
History endless() {
  Random random(1);
  return history_of(pigeons(11), random);
}

constexpr std::chrono::duration<double> kAtOnce{0};
const auto never = [](const WriteOrder&) { return false; };

TEST(Portfolio, AnswersWithWhoeverIsFirst) {
  const Problem easy(hist("S1: w(x,1) w(y,1)  S2: w(x,2) w(y,2)  S3: r(x,1) r(y,2)")), hard(endless());
  for (const std::size_t quick : {1, 2}) {
    Portfolio portfolio({.searches = 3, .alone = kAtOnce}, Budget::unlimited(),
                        [&](const SolverSettings& settings, const Abandoned&) {
                          return (settings.seed == quick ? easy : hard).search(settings);
                        });
    EXPECT_EQ(portfolio.solve(never), Answer::Unsatisfiable);
    EXPECT_EQ(portfolio.decisive_name(), quick == 1 ? "search 2 of 3, seed 1" : "search 3 of 3, seed 2");
    EXPECT_EQ(portfolio.decisive().order().size(), 3u);
  }
}

TEST(Portfolio, GoesOnAloneWhereTheOthersHaveNoMemory) {
  const Problem easy(hist("S1: w(x,1) w(y,1)  S2: w(x,2) w(y,2)  S3: r(x,1) r(y,2)"));
  Portfolio portfolio({.searches = 3, .alone = kAtOnce}, Budget::unlimited(),
                      [&](const SolverSettings& settings, const Abandoned&) {
                        if (settings.seed != 0) throw std::bad_alloc();
                        return easy.search(settings);
                      });
  EXPECT_EQ(portfolio.solve(never), Answer::Unsatisfiable);
  EXPECT_EQ(portfolio.decisive().order().size(), 3u);
}

TEST(Portfolio, EndsAllWhenTheFirstIsToldToStop) {
  const Problem hard(endless());
  std::atomic<int> begun = 0;
  Portfolio portfolio({.searches = 3, .alone = kAtOnce}, Budget::unlimited(),
                      [&](const SolverSettings& settings, const Abandoned&) {
                        ++begun;
                        return hard.search(settings);
                      });
  EXPECT_EQ(portfolio.solve([&](const WriteOrder&) { return begun == 3; }), Answer::Stopped);
  EXPECT_EQ(portfolio.decisive_name(), "search 1 of 3, seed 0");
}

TEST(Portfolio, StartsNobodyElseWhereTheFirstIsDoneInTime) {
  const Problem easy(hist("S1: w(x,1) w(y,1)  S2: w(x,2) w(y,2)  S3: r(x,1) r(y,2)"));
  int begun = 0;
  Portfolio portfolio({.searches = 8, .alone = std::chrono::hours(1)}, Budget::unlimited(),
                      [&](const SolverSettings& settings, const Abandoned&) {
                        ++begun;
                        return easy.search(settings);
                      });
  EXPECT_EQ(portfolio.solve(never), Answer::Unsatisfiable);
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(portfolio.decisive_name(), "");
}

// The settings differ in more than the seed, and the first ones are those of a search without company.
TEST(Portfolio, SearchesDifferently) {
  EXPECT_EQ(portfolio_settings(0).random_decisions, 0);
  EXPECT_FALSE(portfolio_settings(0).contrary);
  EXPECT_EQ(portfolio_settings(0).restart_base, SolverSettings{}.restart_base);
  EXPECT_NE(portfolio_settings(1).contrary, portfolio_settings(2).contrary);
  EXPECT_NE(portfolio_settings(1).restart_base, portfolio_settings(2).restart_base);
}

TEST(Portfolio, LeavesTheVerdictAsItIsAndItsEvidenceCertified) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    const History history = history_of(random_formula(random, 10, 43), random);
    for (const Level level : {Level::Ser, Level::Si}) {
      const auto alone = Checker(history).judge(level);
      Checker checker(history, {.portfolio = {.searches = 3, .alone = kAtOnce}});
      const auto together = checker.judge(level);
      ASSERT_TRUE(alone && together);
      EXPECT_EQ(alone->index(), together->index()) << "seed " << seed;
      const auto certified = test::certify(history, level, *together);
      EXPECT_TRUE(certified) << certified.error().describe();
      EXPECT_NE(checker.effort().searcher, "");
    }
  }
}

TEST(Portfolio, IsUndecidedOnlyWhenTimeIsUp) {
  const History history = endless();
  Budget budget({.seconds = 2});
  Checker checker(history, {.portfolio = {.searches = 3, .alone = kAtOnce}, .budget = &budget});
  const auto verdict = checker.judge(Level::Ser);
  ASSERT_TRUE(verdict);
  EXPECT_THAT(std::get<Undecided>(*verdict).why,
              testing::StartsWith("the limit of 2 s was reached; the search had made "));
}

}  // namespace
}  // namespace assay
