#include "oracle_tests/verdicts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "oracle/commit_order.h"
#include "oracle/points.h"
#include "oracle/visibility.h"
#include "support/hist.h"

namespace assay::test {
namespace {

using oracle::Level;

std::vector<Level> judged_levels(const History& history, std::span<const Level> about) {
  std::vector<Level> levels;
  for (const Level level : about)
    if (!oracle::needs_instants(level) || oracle::has_needed_instants(history)) levels.push_back(level);
  return levels;
}

// The ids in the order of `about`.
std::string spell_out(const History& history, std::string_view holds, std::span<const Level> about) {
  std::vector<std::string> words;
  std::istringstream in{std::string(holds)};
  for (std::string word; in >> word;) words.push_back(word);
  std::string text;
  for (const Level level : judged_levels(history, about))
    if (holds == "all" || std::ranges::find(words, oracle::id(level)) != words.end())
      text += std::string(oracle::id(level)) + " ";
  return text;
}

void expect_formulations_agree(const History& history, oracle::Options options) {
  for (const Level level : judged_levels(history, oracle::kLevels)) {
    const bool verdict = oracle::allows(history, level, options);
    SCOPED_TRACE(oracle::id(level));
    const bool has_axiom = level <= Level::si || level == Level::ser;
    if (has_axiom) {
      const auto visible = [&](const oracle::Model& m) { return oracle::has_visibility(m, level); };
      EXPECT_EQ(oracle::some_completion(history, visible), verdict);
    }
    if (level >= Level::pc && level != Level::psi) {
      const auto rules = oracle::point_rules(level, options);
      const auto ordered = [&](const oracle::Model& m) { return oracle::has_order_of_points(m, rules); };
      EXPECT_EQ(oracle::some_completion(history, ordered), verdict);
    }
  }
}

}  // namespace

std::string levels_that_hold(const History& history, oracle::Options options, std::span<const Level> about) {
  std::string text;
  for (const Level level : judged_levels(history, about))
    if (oracle::allows(history, level, options)) text += std::string(oracle::id(level)) + " ";
  return text;
}

void expect_verdicts(std::initializer_list<Verdict> verdicts, oracle::Options options,
                     std::span<const Level> about) {
  for (const Verdict& row : verdicts) {
    SCOPED_TRACE(std::string(row.history) + "\n" + std::string(row.because));
    const History history = hist(row.history);
    EXPECT_EQ(levels_that_hold(history, options, about), spell_out(history, row.holds, about));
    expect_formulations_agree(history, options);
  }
}

}  // namespace assay::test
