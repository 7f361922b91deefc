// The door of the engine: one call for every history, limits that are kept, and nothing lost on the way.
#include "judge/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/stopwatch.h"
#include "isolation/level_list.h"
#include "simulate/generator.h"
#include "support/hist.h"

namespace assay {
namespace {

using test::hist;
using testing::ElementsAre;

std::string words(const Findings& findings) {
  std::string text;
  for (const Finding& f : findings.levels)
    text += (text.empty() ? "" : ", ") + std::string(id(f.level)) + " " + std::string(word(f.verdict));
  return text;
}

Findings judged(std::string_view text, std::string_view level_names, JudgeOptions options = {}) {
  options.levels = parse_levels(level_names).value().levels;
  return judge(hist(text), "test", "hist", options).value();
}

History large(std::size_t transactions) {
  GeneratorOptions options;
  options.transactions = transactions;
  options.sessions = 24;
  options.keys = transactions / 4;
  options.operations = 8;
  return generate(options)->history;
}

TEST(Judge, TakesEveryKindOfHistory) {
  EXPECT_EQ(words(judged("S1: r(x,0) w(y,1) S2: r(y,0) w(x,1)", "ser, si")), "ser violated, si holds");
  EXPECT_EQ(words(judged("S1: append(x,1) S2: r(x,[1])", "ser,rc")), "ser holds, rc holds");
  EXPECT_EQ(words(judged("@initial null\nS1: insert(a,1) S2: select(value > 0,[a=1])", "ser")), "ser holds");
}

// The order of the answers is that of the question; they are found strongest first.
TEST(Judge, ReportsEachVerdictWhenItIsFound) {
  std::vector<Level> heard;
  JudgeOptions options;
  options.on_verdict = [&](const Finding& finding) { heard.push_back(finding.level); };
  const Findings findings = judged("S1: r(x,0) w(y,1) S2: r(y,0) w(x,1)", "rc,ser,si", options);
  EXPECT_THAT(heard, ElementsAre(Level::Ser, Level::Si, Level::Rc));
  EXPECT_EQ(words(findings), "rc holds, ser violated, si holds");
}

TEST(Judge, KeepsTheHistoryThatItSpeaksOf) {
  std::optional<Findings> kept;
  {
    Findings findings = judged("S1: r(x,0) w(y,1) S2: r(y,0) w(x,1)", "ser");
    kept.emplace(std::move(findings));
  }
  EXPECT_EQ(kept->history().transaction_count(), 2u);
  ASSERT_EQ(kept->stories.size(), 1u);
  EXPECT_EQ(kept->stories[0].name, "write-skew");
}

TEST(Judge, LosesNoVerdictWhenItIsInterrupted) {
  std::atomic<bool> interrupted = false;
  JudgeOptions options;
  options.levels = {Level::Ser, Level::Si};
  options.interrupted = &interrupted;
  options.on_verdict = [&](const Finding&) { interrupted = true; };
  const auto findings = judge(hist("S1: r(x,0) w(x,1) S2: r(x,1) w(x,2)"), "test", "hist", options);
  ASSERT_TRUE(findings);
  EXPECT_TRUE(std::holds_alternative<Holds>(findings->levels[0].verdict));
}

TEST(Judge, ReadsWithinTheLimitsOfALevel) {
  JudgeOptions options;
  options.timeout = 0;
  const auto read = read_within_limits(options, [](Budget& budget) -> Result<History> {
    if (budget.is_spent()) return limit_reached(budget.why());
    return hist("S1: w(x,1)");
  });
  ASSERT_FALSE(read);
  EXPECT_TRUE(read.error().is_limit);
}

TEST(Judge, EndsSoonAfterItsTimeIsUp) {
  for (const double seconds : {0.0, 0.05}) {
    JudgeOptions options;
    options.levels = {Level::Ser};
    options.timeout = seconds;
    History history = large(40'000);
    const auto start = std::chrono::steady_clock::now();
    const auto findings = judge(std::move(history), "test", "jsonl", options);
    const double taken = seconds_since(start);
    ASSERT_TRUE(findings);
    EXPECT_LT(taken, seconds + 2) << "on a busy machine it may take longer than half a second";
    if (seconds == 0) {
      EXPECT_EQ(words(*findings), "ser undecided");
    }
  }
}

// A limit of the first level says nothing about the second.
TEST(Judge, GivesEachLevelTimeOfItsOwn) {
  int polls = 0;
  JudgeOptions options;
  options.levels = {Level::Ser, Level::PlainSer};
  options.timeout = 0;
  const auto none = judge(hist("S1: r(x,0) w(y,1) S2: r(y,0) w(x,1)"), "test", "hist", options);
  ASSERT_TRUE(none);
  EXPECT_EQ(words(*none), "ser undecided, plain-ser undecided");
  const History history = hist("S1: r(x,0) w(y,1) S2: r(y,0) w(x,1)");
  Budget budget({.ask = [&](std::size_t) {
    return ++polls == 1 ? std::optional<std::string>("enough") : std::nullopt;
  }});
  Checker checker(history, {.budget = &budget});
  EXPECT_TRUE(std::holds_alternative<Undecided>(checker.judge(Level::Ser).value()));
  budget.restart();
  EXPECT_TRUE(std::holds_alternative<Violated>(checker.judge(Level::PlainSer).value()));
  budget.restart();
  EXPECT_TRUE(std::holds_alternative<Violated>(checker.judge(Level::Ser).value()));
}

TEST(Judge, ShowsWhatItDoes) {
  std::vector<std::string> tasks;
  JudgeOptions options;
  options.levels = {Level::Ser};
  options.on_progress = [&](const Progress& progress) {
    if (tasks.empty() || tasks.back() != progress.task) tasks.emplace_back(progress.task);
  };
  ASSERT_TRUE(judge(large(5'000), "test", "jsonl", options));
  EXPECT_THAT(tasks, testing::Contains("ser"));
}

// One select that found one row and not the other is two reads in the part that is shown: at rc they are
// apart there, and what is violated by it need not be by the select.
TEST(Judge, SaysWhereTheShownPartSaysMoreThanTheHistory) {
  const Findings rows = judged(
      "@initial null\nS1: select((q in [2 0] or q in [2 3]),[a={p:2,q:2}])\n"
      "S2: w(a,{p:2,q:2}) w(c,{p:0,q:0})",
      "ra,rc");
  ASSERT_EQ(words(rows), "ra violated, rc holds");
  ASSERT_EQ(rows.stories.size(), 1u);
  EXPECT_FALSE(is_exact(rows.stories[0]));
  const Findings keys = judged("S1: r(x,0) w(y,1) S2: r(y,0) w(x,1)", "ser");
  EXPECT_TRUE(is_exact(keys.stories.at(0)));
}

// Naming the anomaly of this one went on for ever when one of several values stood twice.
TEST(Judge, TakesAValueThatStandsTwiceForOne) {
  const Findings findings = judged(
      "S1: select(value = 2,[]) update-maybe(value between 0 and 3,[1=2 3=2]) | r(4,[]) scan(3,4,[3=2])\n"
      "S1: select(key = 1 and value < 2,[]) one-of(1,[0 0]) update-maybe(key = 1 and value < 1,[1=2 2=3])\n"
      "S1: r(4,[]) scan(1,1,[1=2]) r(4,[])",
      "ser");
  EXPECT_EQ(words(findings), "ser violated");
  EXPECT_EQ(hist("S1: one-of(x,[0 1 0])").rows(OpId(0)).size(), 2u);
}

TEST(LevelList, TakesNamesWithSpaces) {
  EXPECT_THAT(parse_levels("ser, si")->levels, ElementsAre(Level::Ser, Level::Si));
  EXPECT_TRUE(parse_levels("all")->all);
  EXPECT_EQ(parse_levels("ser,foo").error().what, "unknown level foo");
  EXPECT_EQ(parse_levels(" , ").error().what, "no level is given");
}

}  // namespace
}  // namespace assay
