// The order of each key's versions follows the execution.
#include "encoding/key_orders.h"

#include <gmock/gmock.h>

#include <numeric>

#include "base/random.h"
#include "search_parts.h"

namespace assay {
namespace {

using test::Known;
using testing::ElementsAre;

// The execution, without a search: edges move its transactions.
struct Execution : Known {
  Execution(std::string_view text, std::initializer_list<std::size_t> transactions)
      : Known(text, Level::Ser), order(known.nodes, known.edges, execution(transactions).order) {}

  bool put(std::size_t first, std::size_t second) {
    return order.insert({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second)},
                        static_cast<std::uint32_t>(known.edges.size() + order.inserted()));
  }
  std::vector<std::size_t> writers(std::span<const VersionId> versions) const {
    std::vector<std::size_t> result;
    for (const VersionId v : versions) result.push_back(facts.writer(v).index());
    return result;
  }

  DynamicOrder order;
};

constexpr KeyId kX{0};

TEST(KeyOrders, SortVersionsAsTheExecutionHasTheirWriters) {
  Execution e("S1: w(x,1)  S2: w(y,1) w(x,2)  S3: w(x,3)", {2, 0, 1});
  KeyOrders orders(e.problem, e.order);
  EXPECT_THAT(e.writers(orders.sort(kX)), ElementsAre(2, 0, 1));
}

TEST(KeyOrders, AreKeptAsTheyWereUntilAStretchIsSorted) {
  Execution e("S1: w(x,1)  S2: w(x,2)  S3: w(x,3)  S4: w(x,4)", {0, 1, 2, 3});
  KeyOrders orders(e.problem, e.order);
  orders.sort(kX);
  ASSERT_TRUE(e.put(2, 1));
  const auto moved = orders.take_moved();
  ASSERT_FALSE(moved.empty());
  EXPECT_THAT(e.writers(orders.kept(kX)), ElementsAre(0, 1, 2, 3));
  const auto stretches = orders.stretches(moved);
  ASSERT_EQ(stretches.size(), 1u);
  const auto [first, last] = orders.sort(stretches[0]);
  EXPECT_THAT(e.writers(orders.kept(kX)), ElementsAre(0, 2, 1, 3));
  EXPECT_EQ(first, 1u);
  EXPECT_EQ(last, 4u);  // the last one has another before it
}

TEST(KeyOrders, ThatAreNotKeptYetBeginWithTheOrderBeforeTheMove) {
  Execution e("S1: w(x,1)  S2: w(x,2)  S3: w(x,3)", {0, 1, 2});
  KeyOrders orders(e.problem, e.order);
  ASSERT_TRUE(e.put(2, 0));
  const auto moved = orders.take_moved();
  orders.keep(kX);
  EXPECT_THAT(e.writers(orders.kept(kX)), ElementsAre(0, 1, 2));
}

TEST(KeyOrders, StretchesOfAKeyDoNotOverlap) {
  Execution e("S1: w(x,1)  S2: w(x,2)  S3: w(x,3)  S4: w(x,4)  S5: w(y,1)", {0, 1, 2, 3, 4});
  KeyOrders orders(e.problem, e.order);
  ASSERT_TRUE(e.put(1, 0));
  ASSERT_TRUE(e.put(3, 2));
  auto stretches = orders.stretches(orders.take_moved());
  ASSERT_EQ(stretches.size(), 2u);
  EXPECT_EQ(stretches[0].key, kX);
  EXPECT_LT(stretches[0].high, stretches[1].low);
  ASSERT_TRUE(e.put(2, 1));
  ASSERT_TRUE(e.put(4, 0));
  stretches = orders.stretches(orders.take_moved());
  for (std::size_t i = 1; i < stretches.size(); ++i)
    EXPECT_TRUE(stretches[i - 1].key < stretches[i].key || stretches[i - 1].high < stretches[i].low);
}

TEST(KeyOrders, AreNotKeptWhereVersionsComeAndGo) {
  Execution e("S1: w(x,1)?  S2: r(x,1) w(y,1)  S3: w(x,1)", {2, 1, 0});
  const KeyOrders orders(e.problem, e.order);
  EXPECT_FALSE(orders.may_be_kept(kX));
  EXPECT_TRUE(orders.may_be_kept(KeyId(1)));
}

TEST(KeyOrders, ShowAReadTheLastVersionBeforeItsSnapshot) {
  const auto shows = [](std::initializer_list<std::size_t> transactions, TxnId writer) {
    Execution e("S1: w(x,1)  S2: w(x,1)  S3: r(x,1)", transactions);
    KeyOrders orders(e.problem, e.order);
    const VersionId version = orders.shown(e.facts.open[0], orders.sort(kX));
    return writer.is_none() ? version == e.facts.initial_version(kX) : e.facts.writer(version) == writer;
  };
  EXPECT_TRUE(shows({2, 0, 1}, TxnId::none()));
  EXPECT_TRUE(shows({0, 2, 1}, TxnId(0)));
  EXPECT_TRUE(shows({0, 1, 2}, TxnId(1)));
}

// However orders begin to be kept: after any moves, and after the stretches of what moved have been sorted,
// each is that of the execution.
TEST(KeyOrders, FollowTheExecutionThroughManyMoves) {
  constexpr std::size_t kTransactions = 24, kKeys = 5;
  Random random(7);
  for (int run = 0; run < 60; ++run) {
    std::string text;
    for (std::size_t t = 0; t < kTransactions; ++t) {
      text += "S" + std::to_string(t) + ": ";
      for (std::size_t key = 0; key < kKeys; ++key)
        if (random.chance(0.4)) text += "w(k" + std::to_string(key) + "," + std::to_string(t + 1) + ") ";
      text += "() ";
    }
    for (std::size_t at = 0; (at = text.find(") () ", at)) != std::string::npos;) text.replace(at, 5, ")  ");
    Execution e(text, {});
    KeyOrders orders(e.problem, e.order);
    for (int pass = 0; pass < 20; ++pass) {
      for (std::size_t moves = random.below(4); moves > 0; --moves)
        e.put(random.below(kTransactions), random.below(kTransactions));
      if (random.chance(0.3) && e.order.inserted() > 0) e.order.remove_last();
      const auto moved = orders.take_moved();
      if (random.chance(0.2)) orders.keep_all_if_many(moved);
      const auto stretches = orders.stretches(moved);
      for (const KeyOrders::Stretch& s : stretches) orders.keep(s.key);
      for (const KeyOrders::Stretch& s : stretches) orders.sort(s);
      for (const KeyId key : e.history.keys()) {
        orders.keep(key);
        std::vector<VersionId> expected(e.versions.of(key).begin(), e.versions.of(key).end());
        orders.sort_versions(expected);
        ASSERT_TRUE(std::ranges::equal(orders.kept(key), expected)) << text;
      }
    }
  }
}

}  // namespace
}  // namespace assay
