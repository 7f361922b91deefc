#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "base/column.h"
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

TEST(FlatIndex, ForgetsEverythingWhenCleared) {
  FlatIndex index;
  for (std::uint32_t i = 0; i < 100; ++i)
    index.find_or_insert(std::uint64_t{i} << 32, i, [&](std::uint32_t j) { return j == i; });
  for (const std::size_t room : {0u, 1u, 100u}) {
    index.clear(room);
    EXPECT_EQ(index.size(), 0u);
    EXPECT_EQ(index.find(std::uint64_t{7} << 32, [](std::uint32_t) { return true; }), UINT32_MAX);
    EXPECT_EQ(index.find_or_insert(std::uint64_t{7} << 32, 5, [](std::uint32_t) { return true; }), 5u);
    EXPECT_EQ(index.find(std::uint64_t{7} << 32, [](std::uint32_t j) { return j == 5; }), 5u);
  }
}

TEST(Column, KeepsItsElementsWhileItGrowsAndShrinks) {
  Column<std::uint32_t> column;
  column.shrink_to_fit();
  for (std::uint32_t i = 0; i < 100'000; ++i) column.push_back(i);
  std::uint32_t* more = column.append_for_overwrite(50'000);
  for (std::uint32_t i = 0; i < 50'000; ++i) more[i] = 100'000 + i;
  column.truncate(120'000);
  column.shrink_to_fit();
  EXPECT_EQ(column.size(), 120'000u);
  EXPECT_EQ(column.capacity(), 120'000u);
  for (std::uint32_t i = 0; i < column.size(); ++i) ASSERT_EQ(column[i], i);
  column.truncate(0);
  column.shrink_to_fit();
  EXPECT_TRUE(column.empty());
  EXPECT_EQ(column.capacity(), 0u);
}

TEST(Column, CopiesAreTheirOwnAndMovesLeaveNothing) {
  Column<int> column;
  for (const int i : {1, 2, 3}) column.push_back(i);
  Column<int> copy = column;
  copy[0] = 7;
  EXPECT_EQ(column[0], 1);
  EXPECT_EQ(copy.size(), 3u);
  const Column<int> moved = std::move(column);
  EXPECT_EQ(moved[2], 3);
  EXPECT_TRUE(column.empty());  // NOLINT: that is what is promised
  copy = Column<int>();
  EXPECT_TRUE(copy.empty());
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
