#include <gtest/gtest.h>

#include <map>

#include "base/random.h"
#include "history/value_numbers.h"

namespace assay {
namespace {

TEST(ValueNumbers, OfNothingAreNone) {
  std::vector<std::uint32_t> places;
  EXPECT_TRUE(ValueNumbers().number(places).empty());
}

TEST(ValueNumbers, TellKeysAndKindsApart) {
  ValueNumbers numbers;
  numbers.mention(KeyId(3), Scalar::integer(1), 0);
  numbers.mention(KeyId(3), Scalar::boolean(true), 1);
  numbers.mention(KeyId(1000), Scalar::integer(1), 2);
  numbers.mention(KeyId(3 + 512), Scalar::integer(1), 3);
  numbers.mention(KeyId(3), Scalar::integer(1), 4);
  std::vector<std::uint32_t> places(5);
  EXPECT_EQ(std::move(numbers).number(places).size(), 4u);
  EXPECT_EQ(places, (std::vector<std::uint32_t>{0, 1, 3, 2, 0}));
}

TEST(ValueNumbers, LeavesPlacesThatWereNotMentioned) {
  ValueNumbers numbers;
  numbers.mention(KeyId(0), Scalar::null(), 2);
  std::vector<std::uint32_t> places{7, 8, 9};
  (void)std::move(numbers).number(places);
  EXPECT_EQ(places, (std::vector<std::uint32_t>{7, 8, 0}));
}

// Few keys with long chains, and many with short ones.
TEST(ValueNumbers, AreThoseOfAnObviousNumbering) {
  for (const std::size_t keys : {1u, 30u, 2000u}) {
    Random random(keys);
    ValueNumbers numbers;
    std::vector<std::pair<KeyId, Scalar>> mentions;
    for (std::size_t i = 0; i < 5000; ++i) {
      mentions.emplace_back(KeyId(random.below(keys)),
                            Scalar::integer(static_cast<std::int64_t>(random.below(2000)) << 40));
      numbers.mention(mentions[i].first, mentions[i].second, i);
    }
    std::map<std::pair<KeyId, std::uint64_t>, std::size_t> first;
    for (std::size_t i = 0; i < mentions.size(); ++i)
      first.try_emplace({mentions[i].first, mentions[i].second.bits}, i);
    std::map<std::pair<KeyId, std::size_t>, std::uint32_t> expected;  // by key, then by first mention
    for (const auto& [pair, i] : first) expected[{pair.first, i}] = 0;
    std::uint32_t next = 0;
    for (auto& entry : expected) entry.second = next++;

    std::vector<std::uint32_t> places(mentions.size());
    const Column<KeyValue> values = std::move(numbers).number(places);
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < mentions.size(); ++i) {
      const auto& [key, value] = mentions[i];
      ASSERT_EQ(places[i], (expected[{key, first[{key, value.bits}]}]));
      ASSERT_EQ(values[places[i]].key, key);
      ASSERT_EQ(values[places[i]].value(), value);
    }
  }
}

}  // namespace
}  // namespace assay
