#include "graph/matching.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/random.h"

namespace assay {
namespace {

using Neighbours = std::vector<std::vector<std::uint32_t>>;

bool can_be_matched(const Neighbours& of, std::size_t left, std::set<std::uint32_t>& taken) {
  if (left == of.size()) return true;
  for (const std::uint32_t right : of[left]) {
    if (!taken.insert(right).second) continue;
    if (can_be_matched(of, left + 1, taken)) return true;
    taken.erase(right);
  }
  return false;
}

TEST(Matching, AgreesWithTryingAllPartnersAndShowsWhoIsCrowded) {
  Random random(1);
  int matched = 0, crowded = 0, larger = 0;
  for (int round = 0; round < 4000; ++round) {
    const auto right = 1 + random.below(6);
    Neighbours of(1 + random.below(6));
    for (auto& neighbours : of)
      for (std::uint32_t node = 0; node < right; ++node)
        if (random.chance(0.4)) neighbours.push_back(node);
    Matching matching(right);
    std::size_t added = 0;
    while (added < of.size() && matching.add(of[added], Budget::unlimited())) ++added;
    std::set<std::uint32_t> taken;
    ASSERT_EQ(added == of.size(), can_be_matched(of, 0, taken));
    if (added == of.size()) {
      ++matched;
      EXPECT_TRUE(matching.crowded().empty());
      continue;
    }
    ++crowded;
    std::set<std::uint32_t> left(matching.crowded().begin(), matching.crowded().end()), all;
    for (const std::uint32_t node : left) all.insert(of[node].begin(), of[node].end());
    EXPECT_EQ(left.size(), matching.crowded().size());
    EXPECT_EQ(left.size(), all.size() + 1);
    larger += left.size() > 2;
  }
  EXPECT_GT(matched, 1000);
  EXPECT_GT(crowded, 1000);
  EXPECT_GT(larger, 100);
}

TEST(Matching, FollowsALongAugmentingPathWithoutAStack) {
  constexpr std::uint32_t kMany = 100'000;
  Matching matching(kMany + 1);
  for (std::uint32_t i = 0; i < kMany; ++i)
    ASSERT_TRUE(matching.add(std::vector{i, i + 1}, Budget::unlimited()));
  EXPECT_TRUE(matching.add(std::vector{0u}, Budget::unlimited()));
  EXPECT_FALSE(matching.add(std::vector{kMany}, Budget::unlimited()));
  EXPECT_EQ(matching.crowded().size(), kMany + 2);
}

TEST(Matching, StopsWhenTheBudgetIsSpent) {
  std::size_t polls = 0;
  Budget budget({.ask = [&](std::size_t) -> std::optional<std::string> {
    return ++polls > 1 ? std::optional<std::string>("enough") : std::nullopt;
  }});
  while (!budget.is_spent()) {
  }
  Matching matching(2);
  EXPECT_FALSE(matching.add(std::vector{0u, 1u}, budget));
  EXPECT_TRUE(matching.crowded().empty());
}

}  // namespace
}  // namespace assay
