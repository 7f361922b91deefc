#include "graph/clocks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace assay {
namespace {

using Table = std::vector<std::vector<bool>>;

Table closure(std::size_t nodes, std::span<const Edge> edges) {
  Table reaches(nodes, std::vector<bool>(nodes));
  for (const Edge& e : edges) reaches[e.from][e.to] = true;
  for (std::size_t via = 0; via < nodes; ++via)
    for (std::size_t a = 0; a < nodes; ++a)
      for (std::size_t b = 0; b < nodes; ++b)
        if (reaches[a][via] && reaches[via][b]) reaches[a][b] = true;
  return reaches;
}

// Between numbers under a random renaming, so that the order of numbers is not a topological one.
std::vector<Edge> random_edges(Random& random, std::span<const std::uint32_t> names, std::size_t count) {
  std::vector<Edge> edges;
  while (edges.size() < count) {
    const auto a = random.below(names.size()), b = random.below(names.size());
    if (a < b) edges.push_back({names[a], names[b]});
  }
  return edges;
}

std::vector<std::uint32_t> random_names(Random& random, std::size_t nodes) {
  std::vector<std::uint32_t> names(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) names[i] = i;
  for (std::size_t i = nodes; i > 1; --i) std::swap(names[i - 1], names[random.below(i)]);
  return names;
}

TEST(ChainCover, PutsEveryWantedNodeOnOneChainAlongEdges) {
  Random random(11);
  for (int round = 0; round < 300; ++round) {
    const std::size_t nodes = 2 + random.below(20);
    const auto edges = random_edges(random, random_names(random, nodes), random.below(40));
    std::vector<bool> wanted(nodes, true);
    for (std::size_t i = 0; i < nodes; ++i) wanted[i] = random.chance(0.9);
    const ChainCover cover = cover_greedily(Digraph(nodes, edges), wanted);
    std::vector<std::vector<std::uint32_t>> chains(cover.chain_count());
    for (std::size_t c = 0; c < chains.size(); ++c) chains[c].resize(cover.length[c], UINT32_MAX);
    for (std::uint32_t node = 0; node < nodes; ++node) {
      ASSERT_EQ(cover.chain[node] != ChainCover::kNone, wanted[node]);
      if (wanted[node]) chains[cover.chain[node]][cover.position[node]] = node;
    }
    for (const auto& chain : chains)
      for (std::size_t i = 1; i < chain.size(); ++i)
        EXPECT_TRUE(std::ranges::any_of(
            edges, [&](const Edge& e) { return e.from == chain[i - 1] && e.to == chain[i]; }));
  }
}

TEST(ChainCover, APathIsOneChain) {
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i + 1 < 100'000; ++i) edges.push_back({i + 1, i});
  EXPECT_EQ(cover_greedily(Digraph(100'000, edges), std::vector<bool>(100'000, true)).chain_count(), 1u);
}

// With few edges every batch is a large one, which is swept; with many, a small one is worked off.
std::size_t number_of_edges(Random& random, int round) {
  return round % 4 == 0 ? 600 + random.below(200) : random.below(30);
}

TEST(Clocks, SayWhatTheClosureSaysWhileEdgesCome) {
  Random random(12);
  std::size_t copied = 0, not_copied = 0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t nodes = 2 + random.below(20);
    const auto names = random_names(random, nodes);
    auto edges = random_edges(random, names, number_of_edges(random, round));
    if (round % 8 == 0) edges.resize(std::min<std::size_t>(edges.size(), 2 * nodes));
    while (round % 8 == 0 && edges.size() < 600) edges.push_back(edges.front());
    Clocks clocks(cover_greedily(Digraph(nodes, edges), std::vector<bool>(nodes, true)));
    Table before(nodes, std::vector<bool>(nodes));
    for (int batch = 0; batch < 4; ++batch) {
      ASSERT_TRUE(clocks.take(edges));
      const Table now = closure(nodes, edges);
      for (std::uint32_t b = 0; b < nodes; ++b) {
        bool grew = false;
        for (std::uint32_t a = 0; a < nodes; ++a) {
          EXPECT_EQ(clocks.reaches(a, b), now[a][b]);
          grew |= now[a][b] != before[a][b];
        }
        EXPECT_EQ(std::ranges::count(clocks.changed(), b), grew ? 1 : 0);
      }
      if (batch == 0) {
        for (const Edge& e : edges) EXPECT_LT(clocks.place(e.from), clocks.place(e.to));
      }
      for (const std::uint32_t b : clocks.changed()) {
        const Clocks::Reach* row = clocks.row_before(b);
        ++(row == nullptr ? not_copied : copied);
        for (std::uint32_t a = 0; a < nodes && row != nullptr; ++a)
          EXPECT_EQ(row[clocks.cover().chain[a]] > clocks.cover().position[a], before[a][b]);
      }
      before = now;
      const auto more = random_edges(random, names, random.below(6));
      edges.insert(edges.end(), more.begin(), more.end());
    }
  }
  EXPECT_GT(copied, 100u);
  EXPECT_GT(not_copied, 100u);
}

TEST(Clocks, RefuseACycle) {
  Random random(13);
  std::size_t cycles = 0;
  for (int round = 0; round < 500; ++round) {
    const std::size_t nodes = 2 + random.below(12);
    auto edges = random_edges(random, random_names(random, nodes), number_of_edges(random, round));
    Clocks clocks(cover_greedily(Digraph(nodes, edges), std::vector<bool>(nodes, true)));
    ASSERT_TRUE(clocks.take(edges));
    for (std::size_t more = 1 + random.below(3); more > 0; --more)
      edges.push_back(
          {static_cast<std::uint32_t>(random.below(nodes)), static_cast<std::uint32_t>(random.below(nodes))});
    const bool cycle = !find_cycle(Digraph(nodes, edges)).empty();
    cycles += cycle;
    const std::size_t taken = clocks.edges_taken();
    EXPECT_EQ(clocks.take(edges), !cycle);
    EXPECT_EQ(clocks.edges_taken(), cycle ? taken : edges.size());
  }
  EXPECT_GT(cycles, 100u);
}

TEST(ChainCover, LongChainsAreCutIntoPiecesInOrder) {
  ChainCover cover(8);
  const std::uint32_t first = cover.add_chain(), empty = cover.add_chain(), last = cover.add_chain();
  for (const std::uint32_t node : {6u, 5u, 4u, 3u, 2u}) cover.append(first, node);
  for (const std::uint32_t node : {0u, 1u}) cover.append(last, node);
  EXPECT_EQ(empty, 1u);
  const ChainCover pieces = cut(cover, 2);
  EXPECT_EQ(pieces.length, (std::vector<std::uint32_t>{2, 2, 1, 0, 2}));
  EXPECT_EQ(pieces.chain, (std::vector<std::uint32_t>{4, 4, 2, 1, 1, 0, 0, ChainCover::kNone}));
  EXPECT_EQ(pieces.position, (std::vector<std::uint32_t>{0, 1, 0, 1, 0, 1, 0, 0}));
  EXPECT_EQ(cut(cover, 5).chain, cover.chain);
}

TEST(Clocks, ReachAlongAChainThatIsCut) {
  constexpr std::uint32_t kNodes = 150'000;
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i + 1 < kNodes; ++i) edges.push_back({i, i + 1});
  Clocks clocks(
      cut(cover_greedily(Digraph(kNodes, edges), std::vector<bool>(kNodes, true)), Clocks::kLongestChain));
  EXPECT_EQ(clocks.cover().chain_count(), 3u);
  ASSERT_TRUE(clocks.take(edges));
  for (std::uint32_t a = 0; a < kNodes; a += 977)
    for (std::uint32_t b = 0; b < kNodes; b += 991) EXPECT_EQ(clocks.reaches(a, b), a < b);
}

TEST(Clocks, RefuseACycleFromTheStart) {
  const std::vector<Edge> edges{{0, 1}, {1, 2}, {2, 0}};
  Clocks clocks(cover_greedily(Digraph(3, {}), std::vector<bool>(3, true)));
  EXPECT_FALSE(clocks.take(edges));
}

}  // namespace
}  // namespace assay
