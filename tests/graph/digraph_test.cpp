#include <gtest/gtest.h>

#include "base/random.h"
#include "graph/digraph.h"

namespace assay {
namespace {

TEST(Digraph, TopologicalOrderPutsEveryNodeAfterItsPredecessors) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const auto nodes = static_cast<std::uint32_t>(1 + random.below(20));
    std::vector<Edge> edges;
    for (std::uint64_t i = random.below(40); i > 0; --i) {
      const auto a = static_cast<std::uint32_t>(random.below(nodes)),
                 b = static_cast<std::uint32_t>(random.below(nodes));
      if (a < b) edges.push_back({a, b});
    }
    const auto order = topological_order(Digraph(nodes, edges));
    ASSERT_TRUE(order.has_value());
    std::vector<std::size_t> place(nodes);
    for (std::size_t i = 0; i < nodes; ++i) place[(*order)[i]] = i;
    for (const Edge& e : edges) EXPECT_LT(place[e.from], place[e.to]);
    EXPECT_TRUE(find_cycle(Digraph(nodes, edges)).empty());
  }
}

TEST(Digraph, ACycleIsAClosedPathOfDifferentNodes) {
  Random random(2);
  int cyclic = 0;
  for (int round = 0; round < 500; ++round) {
    const auto nodes = static_cast<std::uint32_t>(1 + random.below(12));
    std::vector<Edge> edges;
    for (std::uint64_t i = random.below(24); i > 0; --i)
      edges.push_back(
          {static_cast<std::uint32_t>(random.below(nodes)), static_cast<std::uint32_t>(random.below(nodes))});
    const Digraph graph(nodes, edges);
    const auto cycle = find_cycle(graph);
    ASSERT_EQ(cycle.empty(), topological_order(graph).has_value());
    if (cycle.empty()) continue;
    ++cyclic;
    std::vector<bool> seen(nodes);
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      EXPECT_EQ(edges[cycle[i]].to, edges[cycle[(i + 1) % cycle.size()]].from);
      EXPECT_FALSE(seen[edges[cycle[i]].from]);
      seen[edges[cycle[i]].from] = true;
    }
  }
  EXPECT_GT(cyclic, 100);
}

TEST(Digraph, APathOfAMillionNodesNeedsNoStack) {
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i + 1 < 1'000'000; ++i) edges.push_back({i, i + 1});
  EXPECT_TRUE(topological_order(Digraph(1'000'000, edges)).has_value());
  edges.push_back({999'999, 0});
  EXPECT_EQ(find_cycle(Digraph(1'000'000, edges)).size(), 1'000'000u);
}

}  // namespace
}  // namespace assay
