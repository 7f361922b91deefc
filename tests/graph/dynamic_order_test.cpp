#include "graph/dynamic_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"

namespace assay {
namespace {

std::vector<std::uint32_t> counting(std::size_t n) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

bool agrees(const DynamicOrder& order, const std::vector<Edge>& edges) {
  for (const Edge e : edges)
    if (!order.before(e.from, e.to)) return false;
  return true;
}

bool acyclic(std::size_t nodes, const std::vector<Edge>& edges) {
  return topological_order(Digraph(nodes, edges)).has_value();
}

// The order at the last look, from where nodes came from since then.
std::vector<std::uint32_t> order_before(DynamicOrder& order, std::size_t nodes) {
  std::vector<DynamicOrder::Place> place(nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) place[node] = order.position(node);
  const auto moved = order.take_moved();
  for (auto move = moved.rbegin(); move != moved.rend(); ++move) place[move->node] = move->from;
  std::vector<std::uint32_t> before = counting(nodes);
  std::ranges::sort(before, {}, [&](std::uint32_t node) { return place[node]; });
  return before;
}

TEST(DynamicOrder, MovesOnlyWhatAnEdgeConcerns) {
  DynamicOrder order(4, {}, counting(4));
  EXPECT_TRUE(order.insert({0, 3}, 0));
  EXPECT_TRUE(order.take_moved().empty());
  const auto place = order.position(1);
  EXPECT_TRUE(order.insert({2, 1}, 1));
  const auto moved = order.take_moved();
  ASSERT_EQ(moved.size(), 1u);
  EXPECT_EQ(moved[0].node, 1u);
  EXPECT_EQ(moved[0].from, place);
  EXPECT_EQ(order.order(), (std::vector<std::uint32_t>{0, 2, 1, 3}));
}

TEST(DynamicOrder, MovesTheSmallerEndAndNobodyElse) {
  const std::vector<Edge> before_last{{1, 5}, {3, 5}}, after_first{{0, 2}, {0, 4}};
  DynamicOrder forwards(6, before_last, counting(6));
  ASSERT_TRUE(forwards.insert({5, 0}, 2));
  EXPECT_EQ(forwards.order(), (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 0}));
  DynamicOrder backwards(6, after_first, counting(6));
  ASSERT_TRUE(backwards.insert({5, 0}, 2));
  EXPECT_EQ(backwards.order(), (std::vector<std::uint32_t>{5, 0, 1, 2, 3, 4}));
}

// Two nodes that pass each other at the end again and again use up the room there; where others came from is
// known all the same.
TEST(DynamicOrder, FindsNewPlacesWhenThereIsNoRoom) {
  DynamicOrder order(5, {}, counting(5));
  for (int rounds = 1; rounds <= 300; ++rounds) {
    const auto before = order.order();
    for (int i = 0; i < rounds; ++i) {
      ASSERT_TRUE(order.insert(order.before(3, 4) ? Edge{4, 3} : Edge{3, 4}, 0));
      order.remove_last();
      if (i != rounds / 2) continue;
      ASSERT_TRUE(order.insert(order.before(0, 4) ? Edge{4, 0} : Edge{0, 4}, 0));
      order.remove_last();
    }
    ASSERT_EQ(order_before(order, 5), before);
  }
}

TEST(DynamicOrder, RefusesAnEdgeThatClosesACycleAndStaysAsItWas) {
  const std::vector<Edge> known{{0, 1}, {1, 2}};
  DynamicOrder order(3, known, counting(3));
  EXPECT_FALSE(order.insert({2, 0}, 2));
  EXPECT_FALSE(order.insert({1, 1}, 3));
  EXPECT_EQ(order.inserted(), 0u);
  EXPECT_TRUE(agrees(order, known));
}

TEST(DynamicOrder, FindsThePathThatCostsLeastNotTheShortest) {
  const std::vector<Edge> known{{0, 1}, {1, 2}, {2, 3}};
  DynamicOrder order(4, known, counting(4));
  ASSERT_TRUE(order.insert({0, 3}, 7));
  const auto costs = [](std::uint32_t number) { return number == 7; };
  EXPECT_EQ(order.cheapest_path(0, 3, costs), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(order.cheapest_path(0, 3, [](std::uint32_t) { return true; }), (std::vector<std::uint32_t>{7}));
  EXPECT_TRUE(order.cheapest_path(3, 0, costs).empty());
}

TEST(DynamicOrder, AgreesWithRecomputationWhileEdgesComeAndGo) {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    const std::size_t nodes = 2 + random.below(12);
    std::vector<Edge> edges;
    for (std::size_t i = random.below(6); i > 0; --i) {
      const auto a = static_cast<std::uint32_t>(random.below(nodes)),
                 b = static_cast<std::uint32_t>(random.below(nodes));
      if (a < b) edges.push_back({a, b});
    }
    const std::size_t permanent = edges.size();
    const std::vector<Edge> known = edges;
    DynamicOrder order(nodes, known, counting(nodes));
    std::vector<std::uint32_t> before = counting(nodes);
    for (int step = 0; step < 200; ++step) {
      if (edges.size() > permanent && random.chance(0.3)) {
        order.remove_last();
        edges.pop_back();
      } else {
        const Edge edge{static_cast<std::uint32_t>(random.below(nodes)),
                        static_cast<std::uint32_t>(random.below(nodes))};
        edges.push_back(edge);
        const bool possible = acyclic(nodes, edges);
        ASSERT_EQ(order.insert(edge, static_cast<std::uint32_t>(edges.size() - 1)), possible);
        if (!possible) edges.pop_back();
      }
      ASSERT_TRUE(agrees(order, edges));
      const auto now = order.order();
      ASSERT_EQ(now.size(), nodes);
      for (std::uint32_t i = 0; i + 1 < nodes; ++i) ASSERT_TRUE(order.before(now[i], now[i + 1]));
      if (!random.chance(0.1)) continue;
      ASSERT_EQ(order_before(order, nodes), before);
      before = now;
    }
  }
}

}  // namespace
}  // namespace assay
