// A directed graph over dense numbers, in two flat arrays, and the two questions asked of it first:
// in which order do its nodes come, or which cycle forbids one. Nothing recurses: a path of a million
// nodes is a loop here, not a stack.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace assay {

struct Edge {
  std::uint32_t from, to;
};

class Digraph {
 public:
  // Edges keep their order per source; parallel edges and self-loops are allowed.
  Digraph(std::size_t nodes, std::span<const Edge> edges);

  std::size_t node_count() const { return begin_.size() - 1; }
  std::size_t edge_count() const { return target_.size(); }
  std::span<const std::uint32_t> successors(std::uint32_t node) const {
    return {target_.data() + begin_[node], begin_[node + 1] - begin_[node]};
  }
  // For successors(node)[i]: the place of that edge in the list the graph was made from.
  std::uint32_t edge(std::uint32_t node, std::size_t i) const { return edge_[begin_[node] + i]; }

 private:
  std::vector<std::uint32_t> begin_, target_, edge_;
};

// All nodes, each after its predecessors; nothing when there is a cycle. O(nodes + edges).
std::optional<std::vector<std::uint32_t>> topological_order(const Digraph& graph);

// The same, as near to a given order of the nodes as can be: of those that may come next, the one that comes
// first there. O(edges + nodes log nodes).
std::optional<std::vector<std::uint32_t>> topological_order(const Digraph& graph,
                                                            std::span<const std::uint32_t> like);

// The edges (by their place in the list) of a cycle that is shortest among those through the first
// node found on any cycle; empty when there is none. O(nodes + edges).
std::vector<std::uint32_t> find_cycle(const Digraph& graph);

}  // namespace assay
