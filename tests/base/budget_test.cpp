#include "base/budget.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/memory.h"
#include "base/zeroed_array.h"

namespace assay {
namespace {

using std::chrono::milliseconds;

TEST(Budget, IsNeverSpentWithoutLimits) {
  Budget budget;
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(budget.is_spent());
  EXPECT_EQ(budget.why(), "");
}

// Those of large histories poll a few times a second: a limit that looked at the clock every 64th time came a
// minute late.
TEST(Budget, IsSpentInTimeForThoseWhoPollRarely) {
  Budget budget({.seconds = 0.02});
  for (int i = 0; i < 1000 && !budget.is_spent(); ++i) {
  }  // those who poll often come first
  std::this_thread::sleep_for(milliseconds(30));
  int polls = 1;
  for (; polls < 64 && !budget.is_spent(); ++polls) std::this_thread::sleep_for(milliseconds(2));
  EXPECT_LE(polls, 8);
  EXPECT_EQ(budget.why(), "the limit of 0.02 s was reached");
}

TEST(Budget, StaysSpentUntilItIsRestarted) {
  bool stop = true;
  Budget budget(
      {.ask = [&](std::size_t) { return stop ? std::optional<std::string>("enough") : std::nullopt; }});
  EXPECT_TRUE(budget.is_spent());
  stop = false;
  EXPECT_TRUE(budget.is_spent());
  EXPECT_EQ(budget.why(), "enough");
  budget.restart();
  EXPECT_FALSE(budget.is_spent());
  EXPECT_EQ(budget.why(), "");
}

TEST(Budget, CountsTheTimeThatWasSpentBefore) {
  Budget budget({.seconds = 100});
  budget.restart(101);
  EXPECT_TRUE(budget.is_spent());
}

TEST(Budget, OfAPartIsSpentWithTheWhole) {
  std::atomic<bool> interrupted = false;
  Budget whole({.interrupted = &interrupted});
  Budget part(whole, {.seconds = 1000});
  EXPECT_FALSE(part.is_spent());
  interrupted = true;
  int polls = 0;
  while (!part.is_spent()) ++polls;
  EXPECT_LE(polls, 8);
  EXPECT_EQ(part.why(), "interrupted");
}

TEST(Budget, OfAPartLeavesTheWholeAsItWas) {
  Budget whole({.seconds = 1000});
  Budget part(whole, {.seconds = 0});
  EXPECT_TRUE(part.is_spent());
  EXPECT_FALSE(whole.is_spent());
}

TEST(Budget, LooksAtMemoryBeforeItIsTaken) {
  const std::size_t now = resident_bytes() >> 20;
  if (now == 0) GTEST_SKIP() << "the system does not say how much memory a process has";
  Budget budget({.megabytes = now + 200});
  EXPECT_FALSE(budget.is_spent());
  EXPECT_LE(budget.memory_left(), std::size_t{201} << 20);
  EXPECT_TRUE(budget.is_spent(std::size_t{300} << 20));
  EXPECT_EQ(budget.why(), "the limit of " + std::to_string(now + 200) + " MB was reached");
}

TEST(Budget, ShowsTheTaskAndHowMuchIsDone) {
  std::string shown;
  Budget whole({.show = [&](const Progress& p) {
    shown = std::string(p.task) + ", " + std::string(p.stage) + " " + std::to_string(p.done) + "/" +
            std::to_string(p.total);
  }});
  Budget part(whole, {.seconds = 1000});
  whole.begin_task("judging");
  part.begin_stage("guessing", 10);
  part.set_done(4);
  for (int i = 0; i < 8; ++i) part.is_spent();
  EXPECT_EQ(shown, "judging, guessing 4/10");
}

// A clock of every transaction for every session is large; making room for it must not outlast a limit.
TEST(ZeroedArray, TakesMemoryOnlyWhereItIsWritten) {
  const std::size_t before = resident_bytes();
  ZeroedArray<std::uint32_t> array(std::size_t{1} << 28);
  EXPECT_EQ(array.data()[12'345'678], 0u);
  array.data()[7] = 1;
  if (before > 0) {
    EXPECT_LT(resident_bytes(), before + (std::size_t{64} << 20));
  }
}

}  // namespace
}  // namespace assay
