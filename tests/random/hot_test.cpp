// Histories too large for the oracle, with few keys and many blind writes, so that the search has something
// to do. Whatever it says comes with evidence, and the evidence is certified: no oracle is needed.
#include <gtest/gtest.h>

#include <cstdio>

#include "base/random.h"
#include "check/check.h"
#include "random/shrink.h"
#include "simulate/generator.h"
#include "support/evidence.h"
#include "support/levels.h"
#include "support/random.h"

namespace assay::test {
namespace {

constexpr Level kStores[] = {Level::Rc, Level::Ra, Level::Cc, Level::Pc, Level::Psi, Level::Si, Level::Ser};

GeneratorOptions hot(Random& random) {
  GeneratorOptions options;
  options.isolation = kStores[random.below(std::size(kStores))];
  options.sessions = 2 + random.below(8);
  options.transactions = 10 + random.below(80);
  options.fewest_operations = 1;
  options.operations = 2 + random.below(5);
  options.keys = 2 + random.below(8);
  options.reads = 0.2 + 0.1 * static_cast<double>(random.below(6));
  options.read_modify_write = random.chance(0.5) ? 0 : 0.25;
  options.unknown = random.chance(0.3) ? 0.1 : 0;
  options.aborted = 0.05;
  options.instants = random.chance(0.5) ? RecordedInstants::None : RecordedInstants::BeginAndEnd;
  options.seed = random.below(1u << 30);
  return options;
}

GeneratorOptions hot_lists(Random& random) {
  GeneratorOptions options = hot(random);
  options.data = DataKind::Lists;
  options.list_length = 4 + random.below(60);
  return options;
}

// What is wrong with the verdicts of one way to check.
std::string complaint(const History& history, const CheckOptions& options, std::size_t* violated,
                      std::uint64_t* conflicts) {
  Checker checker(history, options);
  for (const Level level : levels_without_clocks()) {
    const auto verdict = checker.judge(level);
    if (!verdict) return "";
    const auto* order = std::get_if<Holds>(&*verdict);
    const auto certified = certify(history, level, *verdict);
    if (!certified) return std::string(id(level)) + ": " + certified.error().describe();
    *violated += order == nullptr;
    *conflicts += checker.effort().conflicts;
  }
  return "";
}

using Hot = GeneratorOptions (*)(Random&);

void certify_all(const char* name, const CheckOptions& options, Hot kind = hot,
                 std::uint64_t least_conflicts = 20) {
  Random random(suite_seed(name));
  std::size_t violated = 0;
  std::uint64_t conflicts = 0;
  for (std::size_t i = scaled(3000, 100); i > 0; --i) {
    const auto generated = generate(kind(random));
    ASSERT_TRUE(generated);
    const std::string wrong = complaint(generated->history, options, &violated, &conflicts);
    if (!wrong.empty())
      FAIL() << wrong << "\n"
             << report_failure(name, generated->history, [&](const History& h) {
                  return !complaint(h, options, &violated, &conflicts).empty();
                });
  }
  std::printf("%zu violated, %llu conflicts\n", violated, static_cast<unsigned long long>(conflicts));
  EXPECT_GT(violated, 50u);
  EXPECT_GE(conflicts, least_conflicts);
}

// Saturation leaves little to search for, so the search is tried without it too.
TEST(HotHistories, EveryVerdictIsCertified) { certify_all("hot", {}, hot, 0); }
TEST(HotHistories, EveryVerdictIsCertifiedWithoutGreedyExecution) {
  certify_all("hot-no-greedy", {.greedy = false}, hot, 0);
}
TEST(HotHistories, EveryVerdictOfTheSearchAloneIsCertified) {
  certify_all("hot-search", {.greedy = false, .saturation = false});
}
TEST(HotHistories, EveryVerdictIsCertifiedWithAllChoicesMadeAtOnce) {
  certify_all("hot-eager", {.greedy = false, .lazy_choices = false, .saturation = false});
}
// The order that lists show leaves little to search for.
TEST(HotHistories, EveryVerdictOnListsIsCertified) { certify_all("hot-lists", {}, hot_lists, 0); }
TEST(HotHistories, EveryVerdictOnListsIsCertifiedWithAllChoicesMadeAtOnce) {
  certify_all("hot-lists-eager", {.greedy = false, .lazy_choices = false}, hot_lists, 0);
}

}  // namespace
}  // namespace assay::test
