// Every pair of built-in levels: what the search says of it is what the formulas say, read word by word, of
// every history.
#include <gtest/gtest.h>

#include "spec/load.h"
#include "support/all_histories.h"
#include "support/random.h"
#include "synthesis/compare.h"

namespace assay::test {
namespace {

using synthesis::Scope;

// Levels of all built-in files, but those that need what the scope does not have.
std::vector<spec::Specification> builtin_levels(bool clocks) {
  std::vector<spec::Specification> all;
  for (const spec::BuiltinFile& file : spec::builtin_files())
    for (spec::Specification& level : spec::load_library(std::string(file.name))->levels())
      if (level.labels.empty() && (clocks || !level.uses_clocks)) all.push_back(std::move(level));
  return all;
}

// Of the histories of the scope each `every`-th is looked at. With `exact` these are all there are, so a pair
// that the search tells apart must be told apart by one of them.
void expect_agreement(const Scope& scope, std::size_t every, bool exact) {
  const auto levels = builtin_levels(scope.clocks);
  const std::size_t n = levels.size();
  EXPECT_GE(n, 75u);
  synthesis::FindOptions options;
  options.scope = scope;
  const auto lattice = synthesis::lattice(levels, options).value();
  std::vector<std::vector<bool>> separated(n, std::vector<bool>(n));
  std::size_t seen = 0, judged = 0;
  Scope size = scope;
  for (size.transactions = 1; size.transactions <= scope.transactions; ++size.transactions)
    AllHistories(
        size,
        [&](const spec::HistoryFacts& facts) {
          if (seen++ % every != 0) return true;
          ++judged;
          std::vector<bool> allowed(n);
          for (std::size_t i = 0; i < n; ++i)
            allowed[i] = spec::allows_by_enumeration(levels[i], facts, 10'000'000).value();
          for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
              if (allowed[i] && !allowed[j]) separated[i][j] = true;
          return true;
        },
        true)
        .run();
  EXPECT_GT(judged, 50u);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      ASSERT_TRUE(lattice.implies[i][j].has_value());
      const std::string pair = levels[i].name + " and not " + levels[j].name;
      if (separated[i][j]) {
        EXPECT_FALSE(*lattice.implies[i][j]) << pair;
      } else if (exact) {
        EXPECT_TRUE(*lattice.implies[i][j]) << pair;
      }
    }
}

TEST(EveryPair, OfHistoriesOfTwoTransactions) {
  expect_agreement({.transactions = 2, .objects = 1, .values = 3}, 1, true);
  expect_agreement({.transactions = 2, .objects = 1, .values = 2, .duplicates = true}, 1, true);
  expect_agreement({.transactions = 2, .objects = 1, .values = 3, .sessions = false, .clocks = true}, 1,
                   true);
}

// Not all, since reads are tried in one order only.
TEST(EveryPair, OfHistoriesWithNonRepeatableReads) {
  expect_agreement({.transactions = 2, .objects = 1, .values = 3, .repeatable_reads = false}, 1, false);
}

TEST(EveryPair, OfHistoriesOfThreeAndFourTransactions) {
  const bool slow = scaled(100, 0) == 100;
  expect_agreement({.transactions = 3, .objects = 1, .values = 3}, slow ? 1 : 13, slow);
  if (!slow) return;
  expect_agreement({.transactions = 3, .objects = 2, .values = 3}, 2000, false);
  expect_agreement({.transactions = 4, .objects = 1, .values = 4}, 500, false);
}

}  // namespace
}  // namespace assay::test
