// Chains that cover a graph: paths, so that each node of a chain reaches all later ones.
//
// Few chains make reachability cheap (clocks.h). Where the caller knows chains, as sessions are, it appends
// nodes itself; otherwise chains are laid greedily along edges. Greedy is not least: the least number is a
// matching problem, and the chains are only worth having when a simple rule finds few.
#pragma once

#include "graph/digraph.h"

namespace assay {

struct ChainCover {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::vector<std::uint32_t> chain, position;  // by node; kNone: in no chain
  std::vector<std::uint32_t> length;           // by chain

  explicit ChainCover(std::size_t nodes) : chain(nodes, kNone), position(nodes, 0) {}

  std::uint32_t add_chain() {
    length.push_back(0);
    return static_cast<std::uint32_t>(length.size() - 1);
  }
  // The last node of the chain, if any, has an edge or a path to this one.
  void append(std::uint32_t to_chain, std::uint32_t node) {
    chain[node] = to_chain;
    position[node] = length[to_chain]++;
  }
  std::size_t chain_count() const { return length.size(); }
};

// Covers the nodes that are `wanted`: in topological order, each goes on the first chain whose last node has
// an edge to it, or begins one. The graph has no cycle. O(nodes + edges).
ChainCover cover_greedily(const Digraph& graph, const std::vector<bool>& wanted);

}  // namespace assay
