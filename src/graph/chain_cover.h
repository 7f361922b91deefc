// A chain cover of a graph. A chain is a sequence of nodes in which each node reaches all later ones.
//
// The fewer chains, the cheaper reachability is (clocks.h). A caller that knows chains, for instance the
// sessions of a history, appends the nodes itself. Otherwise cover_greedily() lays chains along edges. It
// does not find the least number of chains: that is a matching problem, and clocks only pay off when a simple
// rule already finds few.
#pragma once

#include "graph/digraph.h"

namespace assay {

struct ChainCover {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::vector<std::uint32_t> chain, position;  // by node; chain kNone: the node is in no chain
  std::vector<std::uint32_t> length;           // by chain

  explicit ChainCover(std::size_t nodes) : chain(nodes, kNone), position(nodes, 0) {}

  std::uint32_t add_chain() {
    length.push_back(0);
    return static_cast<std::uint32_t>(length.size() - 1);
  }
  // Requires an edge or a path from the chain's last node, if it has one, to `node`.
  void append(std::uint32_t to_chain, std::uint32_t node) {
    chain[node] = to_chain;
    position[node] = length[to_chain]++;
  }
  std::size_t chain_count() const { return length.size(); }
};

// The cover with chains that are longer than `most` cut into pieces of that length, in order. A piece of a
// chain is a chain.
ChainCover cut(ChainCover cover, std::uint32_t most);

// Covers the `wanted` nodes of an acyclic graph. In topological order, each node joins the first chain whose
// last node has an edge to it, or else starts a new chain. O(nodes + edges).
ChainCover cover_greedily(const Digraph& graph, const std::vector<bool>& wanted);

}  // namespace assay
