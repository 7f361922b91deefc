// Histories of rows too large for the oracle, which take several executions: the reads that one breaks are
// added for the next. Whatever is said comes with evidence, and the evidence is certified.
#include <gtest/gtest.h>

#include <cstdio>
#include <ranges>

#include "base/random.h"
#include "check/predicates.h"
#include "random/possible_updates.h"
#include "random/shrink.h"
#include "simulate/generator.h"
#include "support/evidence.h"
#include "support/random.h"

namespace assay::test {
namespace {

// From the strongest on.
std::vector<Level> judged_levels(bool with_one_order) {
  std::vector<Level> judged;
  for (const LevelRow& row : std::views::reverse(levels()))
    if (!with_one_order || has_total_order(row.level)) judged.push_back(row.level);
  return judged;
}

const std::vector<Level> kAll = judged_levels(false), kWithOneOrder = judged_levels(true);
constexpr Level kStores[] = {Level::Ser, Level::Ser, Level::Ser, Level::Si, Level::Pc, Level::Ra};

GeneratorOptions hot_rows(Random& random) {
  GeneratorOptions options;
  options.shape = random.chance(0.5) ? Shape::Predicates : Shape::Ranges;
  options.isolation = kStores[random.below(std::size(kStores))];
  options.sessions = 2 + random.below(8);
  options.transactions = 20 + random.below(120);
  options.operations = 1 + random.below(3);
  options.keys = 10 + random.below(60);
  options.mix = Mix::Split;
  options.reads = 0.3 + 0.1 * static_cast<double>(random.below(4));
  options.unknown = random.chance(0.2) ? 0.05 : 0;
  options.aborted = 0.05;
  options.seed = random.below(1u << 30);
  return options;
}

struct Seen {
  std::size_t violated = 0, held = 0, learnt = 0, undecided = 0;
};

std::string complaint(const History& history, std::span<const Level> levels, const CheckOptions& options,
                      Seen& seen) {
  PredicateChecker checker(history, options);
  for (const Level level : levels) {
    const auto verdict = checker.judge(level);
    if (!verdict) return std::string(id(level)) + ": " + verdict.error().describe();
    if (const auto* undecided = std::get_if<Undecided>(&*verdict))
      return std::string(id(level)) + ": " + undecided->why;
    const auto certified = certify_as_text(history, checker.section());
    if (!certified) return std::string(id(level)) + ": " + certified.error().describe();
    ++(std::holds_alternative<Holds>(*verdict) ? seen.held : seen.violated);
    seen.learnt += checker.subject()->checker.has_learnt();
  }
  return "";
}

void certify_rows(const char* name, std::span<const Level> levels, const CheckOptions& options) {
  Random random(suite_seed(name));
  Seen seen;
  for (std::size_t i = scaled(2000, 70); i > 0; --i) {
    const auto generated = generate(hot_rows(random));
    ASSERT_TRUE(generated) << generated.error().describe();
    const std::string wrong = complaint(generated->history, levels, options, seen);
    if (!wrong.empty())
      FAIL() << wrong << "\n"
             << report_failure(name, generated->history, [&](const History& h) {
                  return !complaint(h, levels, options, seen).empty();
                });
  }
  std::printf("%zu held, %zu violated, %zu after reads were added\n", seen.held, seen.violated, seen.learnt);
  EXPECT_GT(seen.held, 40u);
  EXPECT_GT(seen.violated, 20u);
  EXPECT_GT(seen.learnt, 10u);
}

TEST(HotRows, EveryVerdictIsCertified) { certify_rows("hot-rows", kAll, {}); }
TEST(HotRows, EveryVerdictIsCertifiedWithoutGreedyExecution) {
  certify_rows("hot-rows-no-greedy", kAll, {.greedy = false});
}
TEST(HotRows, EveryVerdictOfTheSearchAloneIsCertified) {
  certify_rows("hot-rows-search", kWithOneOrder, {.greedy = false, .saturation = false});
}

// With updates of which only the statement is known, at the levels at which those are choices of the search.
TEST(HotRows, EveryVerdictWithPossibleUpdatesIsCertified) {
  Random random(suite_seed("hot-rows-maybe"));
  Seen seen;
  for (std::size_t i = scaled(1000, 50); i > 0; --i) {
    GeneratorOptions options = hot_rows(random);
    options.shape = Shape::Predicates;
    options.operations = 1;
    options.unknown = 0;
    const auto generated = generate(options);
    ASSERT_TRUE(generated) << generated.error().describe();
    const History history = with_possible_updates(generated->history, random, random.chance(0.5) ? 1 : 0.2);
    for (const CheckOptions& how : {CheckOptions{}, CheckOptions{.greedy = false, .saturation = false}})
      if (const std::string wrong = complaint(history, kWithOneOrder, how, seen); !wrong.empty())
        FAIL() << wrong << "\n"
               << report_failure("hot-rows-maybe", history, [&](const History& h) {
                    return !complaint(h, kWithOneOrder, how, seen).empty();
                  });
  }
  std::printf("%zu held, %zu violated\n", seen.held, seen.violated);
  EXPECT_GT(seen.held, 40u);
  EXPECT_GT(seen.violated, 20u);
}

// Where a transaction has several statements, some rows are not by themselves in it: cases of these are tried
// one after the other, which may take too long. Then it is undecided, and nothing else.
TEST(HotRows, EveryVerdictWithPossibleUpdatesBesideOtherStatementsIsCertified) {
  constexpr std::size_t kPatience = 20'000;  // times that it polls its budget
  Random random(suite_seed("hot-rows-maybe-beside"));
  Seen seen;
  for (std::size_t i = scaled(1000, 30); i > 0; --i) {
    GeneratorOptions options = hot_rows(random);
    options.shape = Shape::Predicates;
    options.operations = 2 + random.below(2);
    options.unknown = 0;
    if (random.chance(0.5)) options.mix = Mix::Mixed;
    const auto generated = generate(options);
    ASSERT_TRUE(generated) << generated.error().describe();
    const History history = with_possible_updates(generated->history, random, random.chance(0.5) ? 1 : 0.2);
    std::size_t asked = 0;
    CheckOptions how;
    for (const Level level : {Level::Ser, Level::Si}) {
      Budget budget({.ask = [&](std::size_t) {
        return ++asked > kPatience ? std::optional<std::string>("patience") : std::nullopt;
      }});
      how.budget = &budget;
      PredicateChecker checker(history, how);
      asked = 0;
      const auto verdict = checker.judge(level);
      ASSERT_TRUE(verdict) << verdict.error().describe();
      if (std::holds_alternative<Undecided>(*verdict)) {
        ++seen.undecided;
        continue;
      }
      const auto certified = certify_as_text(history, checker.section());
      ASSERT_TRUE(certified) << certified.error().describe();
      ++(std::holds_alternative<Holds>(*verdict) ? seen.held : seen.violated);
    }
  }
  std::printf("%zu held, %zu violated, %zu undecided\n", seen.held, seen.violated, seen.undecided);
  EXPECT_GT(seen.held, 10u);
  EXPECT_GT(seen.violated, 5u);
  EXPECT_LT(seen.undecided, seen.held + seen.violated);
}

}  // namespace
}  // namespace assay::test
