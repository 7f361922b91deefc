// Histories whose sessions order hardly anything are judged by assuming that what is far apart keeps its
// order.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "check/check.h"
#include "history/builder.h"
#include "support/evidence.h"

namespace assay {
namespace {

enum class Clocks : std::uint8_t { None, Recorded };

struct Step {
  std::int64_t key, value;
  bool is_write;
};

// A serial execution of blind writes and reads, each transaction in a session of its own. They are in the
// file in the order in which they began, which is not that of the execution: about twenty overlap. `stale`:
// one transaction reads two keys of which another wrote both, one of them too early.
History sessionless(std::uint64_t seed, std::size_t transactions, Clocks clocks, bool stale = false) {
  Random random(seed);
  constexpr std::int64_t kKeys = 300;
  struct Recorded {
    std::int64_t begin, end;
    std::vector<Step> steps;
  };
  std::vector<Recorded> recorded;
  std::vector<std::int64_t> current(kKeys, 0), before(kKeys, 0);
  std::int64_t next = 1;
  for (std::size_t i = 0; i < transactions; ++i) {
    const auto now = static_cast<std::int64_t>(10 * i + 1000);
    Recorded t{now - 1 - static_cast<std::int64_t>(random.below(100)),
               now + 1 + static_cast<std::int64_t>(random.below(100)),
               {}};
    const bool writes = random.chance(0.5);
    for (int op = 0; op < 6; ++op) {
      const auto key = static_cast<std::int64_t>(random.below(kKeys));
      if (std::ranges::find(t.steps, key, &Step::key) != t.steps.end()) continue;
      if (writes)
        before[static_cast<std::size_t>(key)] = std::exchange(current[static_cast<std::size_t>(key)], next++);
      t.steps.push_back({key, current[static_cast<std::size_t>(key)], writes});
    }
    if (stale && i == transactions / 2) {
      // What the last writer of two keys wrote to one of them, and what it overwrote in the other.
      const auto& last = *std::ranges::find_if(recorded.rbegin(), recorded.rend(), [](const Recorded& r) {
        return r.steps.size() > 1 && r.steps[0].is_write;
      });
      t.steps = {last.steps[0], last.steps[1]};
      for (Step& step : t.steps) step.is_write = false;
      t.steps[0].value = current[static_cast<std::size_t>(t.steps[0].key)];
      t.steps[1].value = before[static_cast<std::size_t>(t.steps[1].key)];
    }
    recorded.push_back(std::move(t));
  }
  std::ranges::stable_sort(recorded, {}, &Recorded::begin);
  HistoryBuilder b;
  b.set_initial(Scalar::integer(0));
  for (const Recorded& t : recorded) {
    for (const Step& step : t.steps) {
      const KeyId key = b.key(Scalar::integer(step.key));
      if (step.is_write) b.write(key, Scalar::integer(step.value));
      else b.read(key, Scalar::integer(step.value));
    }
    Instants at;
    if (clocks == Clocks::Recorded) at.begin = t.begin, at.end = t.end;
    EXPECT_TRUE(b.finish({.session = b.new_session(), .instants = at}));
  }
  return std::move(b).build().value();
}

class Sessionless : public testing::TestWithParam<std::tuple<Level, Clocks>> {};

TEST_P(Sessionless, HistoriesAreDecided) {
  const auto [level, clocks] = GetParam();
  for (const bool stale : {false, true}) {
    const History h = sessionless(5, 2000, clocks, stale);
    Budget budget({.seconds = 60});
    Checker checker(h, {.budget = &budget});
    const auto verdict = checker.judge(level);
    ASSERT_TRUE(verdict);
    if (stale) EXPECT_TRUE(std::holds_alternative<Violated>(*verdict));
    else EXPECT_TRUE(std::holds_alternative<Holds>(*verdict)) << checker.effort().chains;
    EXPECT_TRUE(test::certify(h, level, *verdict));
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, Sessionless,
                         testing::Combine(testing::Values(Level::Ser, Level::Si, Level::PlainSer,
                                                          Level::AdyaSi),
                                          testing::Values(Clocks::None, Clocks::Recorded)));

}  // namespace
}  // namespace assay
