#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "base/flat_index.h"
#include "base/hash.h"
#include "base/random.h"
#include "base/result.h"
#include "base/strong_id.h"

namespace assay {
namespace {

TEST(Error, DescribesFilePlaceProblemAndRemedyLeavingOutWhatIsNotKnown) {
  EXPECT_EQ((Error{"it broke", "mend it", "f.jsonl", "12"}).describe(), "f.jsonl:12: it broke (mend it)");
  EXPECT_EQ((Error{"it broke", "", "f.jsonl", ""}).describe(), "f.jsonl: it broke");
  EXPECT_EQ(error("it broke").describe(), "it broke");
}

Result<int> half(int n) {
  if (n % 2 != 0) return error("odd");
  return n / 2;
}

Result<int> quarter(int n) {
  ASSAY_TRY(half(n));
  return half(n / 2);
}

TEST(Result, TryHandsTheErrorOn) {
  EXPECT_EQ(*quarter(8), 2);
  EXPECT_EQ(quarter(3).error().what, "odd");
  EXPECT_EQ(quarter(6).error().what, "odd");
}

TEST(Result, TakingAValueThatIsNotThereIsAMisuse) { EXPECT_DEATH((void)half(1).value(), "has_value"); }

TEST(FlatIndex, FindsWhatWasInsertedThroughManyGrowths) {
  std::vector<std::uint64_t> values;
  FlatIndex index;
  const auto number_of = [&](std::uint64_t v) {
    const auto next = static_cast<std::uint32_t>(values.size());
    const auto found = index.find_or_insert(mix(v, 1), next, [&](std::uint32_t i) { return values[i] == v; });
    if (found == next) values.push_back(v);
    return found;
  };
  for (std::uint64_t v = 0; v < 50'000; ++v) EXPECT_EQ(number_of(v * 3), v);
  for (std::uint64_t v = 0; v < 50'000; ++v) EXPECT_EQ(number_of(v * 3), v);
  EXPECT_EQ(index.size(), 50'000u);
  EXPECT_EQ(index.find(mix(1, 1), [&](std::uint32_t i) { return values[i] == 1; }), UINT32_MAX);
}

TEST(FlatIndex, KeepsElementsWithEqualHashesApart) {
  std::vector<int> values{10, 11, 12};
  FlatIndex index;
  for (std::uint32_t i = 0; i < 3; ++i)
    EXPECT_EQ(index.find_or_insert(7, i, [&](std::uint32_t j) { return values[j] == values[i]; }), i);
  EXPECT_EQ(index.find(7, [&](std::uint32_t j) { return values[j] == 12; }), 2u);
}

TEST(Random, IsTheSameForTheSameSeedAndStaysInBounds) {
  Random a(7), b(7), c(8);
  std::set<std::uint64_t> seen;
  bool differs = false;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t x = a.below(10);
    EXPECT_EQ(x, b.below(10));
    differs |= x != c.below(10);
    EXPECT_LT(x, 10u);
    seen.insert(x);
  }
  EXPECT_EQ(seen.size(), 10u);
  EXPECT_TRUE(differs);
}

TEST(Random, ItsFirstNumbersNeverChange) {
  Random random(42);
  EXPECT_EQ(random(), 1546998764402558742u);
  EXPECT_EQ(random(), 6990951692964543102u);
}

TEST(Id, NoneIsNoIndexAndRangesCount) {
  using ThingId = Id<struct ThingTag>;
  EXPECT_TRUE(ThingId::none().is_none());
  EXPECT_FALSE(ThingId(0).is_none());
  const IdRange<ThingId> range{ThingId(2), ThingId(5)};
  std::vector<std::size_t> seen;
  for (const ThingId id : range) seen.push_back(id.index());
  EXPECT_EQ(seen, (std::vector<std::size_t>{2, 3, 4}));
}

}  // namespace
}  // namespace assay
