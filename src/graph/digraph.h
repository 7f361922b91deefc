// A directed graph over the nodes 0 to n - 1, stored in two flat arrays, and its two basic questions: a
// topological order of the nodes, or a cycle that rules one out. Nothing recurses, so a path of a million
// nodes cannot overflow the stack.
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
  // Keeps the order of the edges of each source. Parallel edges and self-loops are allowed.
  Digraph(std::size_t nodes, std::span<const Edge> edges);

  std::size_t node_count() const { return begin_.size() - 1; }
  std::size_t edge_count() const { return target_.size(); }
  std::span<const std::uint32_t> successors(std::uint32_t node) const {
    return {target_.data() + begin_[node], begin_[node + 1] - begin_[node]};
  }
  // The index, in the list given to the constructor, of the edge to successors(node)[i].
  std::uint32_t edge(std::uint32_t node, std::size_t i) const { return edge_[begin_[node] + i]; }

 private:
  std::vector<std::uint32_t> begin_, target_, edge_;
};

// Nothing when there is a cycle. O(nodes + edges).
std::optional<std::vector<std::uint32_t>> topological_order(const Digraph& graph);

// The topological order that follows a given order of the nodes as far as it can: of the nodes that may come
// next, it takes the one that is first in `like`. O(edges + nodes log nodes).
std::optional<std::vector<std::uint32_t>> topological_order(const Digraph& graph,
                                                            std::span<const std::uint32_t> like);

// The edges of a cycle, as indices in the constructor's list: a shortest one through the first node that is
// found to be on a cycle. Empty when there is no cycle. O(nodes + edges).
std::vector<std::uint32_t> find_cycle(const Digraph& graph);

}  // namespace assay
