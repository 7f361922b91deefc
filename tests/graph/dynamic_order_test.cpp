#include "graph/dynamic_order.h"

#include <gtest/gtest.h>

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

TEST(DynamicOrder, MovesOnlyWhatAnEdgeConcerns) {
  DynamicOrder order(4, {}, counting(4));
  EXPECT_TRUE(order.insert({0, 3}, 0));
  EXPECT_TRUE(order.take_moved().empty());
  EXPECT_TRUE(order.insert({2, 1}, 1));
  const auto moved = order.take_moved();
  ASSERT_EQ(moved.size(), 2u);
  for (const auto& [node, from] : moved) EXPECT_NE(order.position(node), from);
  EXPECT_EQ(order.position(0), 0u);
  EXPECT_EQ(order.position(3), 3u);
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
      const auto a = static_cast<std::uint32_t>(random.below(nodes)), b = static_cast<std::uint32_t>(random.below(nodes));
      if (a < b) edges.push_back({a, b});
    }
    const std::size_t permanent = edges.size();
    const std::vector<Edge> known = edges;
    DynamicOrder order(nodes, known, counting(nodes));
    for (int step = 0; step < 60; ++step) {
      if (edges.size() > permanent && random.chance(0.3)) {
        order.remove_last();
        edges.pop_back();
      } else {
        const Edge edge{static_cast<std::uint32_t>(random.below(nodes)), static_cast<std::uint32_t>(random.below(nodes))};
        edges.push_back(edge);
        const bool possible = acyclic(nodes, edges);
        ASSERT_EQ(order.insert(edge, static_cast<std::uint32_t>(edges.size() - 1)), possible);
        if (!possible) edges.pop_back();
      }
      ASSERT_TRUE(agrees(order, edges));
      for (std::uint32_t i = 0; i < nodes; ++i) ASSERT_EQ(order.position(order.order()[i]), i);
    }
  }
}

}  // namespace
}  // namespace assay
