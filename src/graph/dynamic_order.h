// Incremental topological order: a total order of the nodes that stays topological while edges are inserted
// and removed.
//
// The algorithm is a variant of Pearce and Kelly's (2006). An edge that agrees with the order costs nothing.
// For an edge against the order, only two sets of nodes matter, both between its two ends in the order: those
// that its target reaches, and those that reach its source. Pearce and Kelly reassign both sets to the
// positions they occupy together, which moves nodes past others that have nothing to do with the edge. Here
// the smaller set moves as a block past the other end, and all other nodes stay. This needs a linked list of
// the nodes, with numbers that leave gaps as their positions. When a gap is used up, all nodes are numbered
// anew.
//
// Edges are removed last in, first out. A removal does not touch the order: it is still topological for fewer
// edges, and keeping it preserves what the search has learnt. Permanent edges lie in flat arrays, the others
// in linked lists through one array. An insertion against the order costs the edges between its two ends.
// Nothing recurses.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "graph/digraph.h"

namespace assay {

class DynamicOrder {
 public:
  // `order` holds every node and is topological for the permanent edges. A permanent edge's number is its
  // index.
  DynamicOrder(std::size_t nodes, std::span<const Edge> permanent, std::vector<std::uint32_t> order);

  using Place = std::uint64_t;
  std::vector<std::uint32_t> order() const;  // O(nodes)
  Place position(std::uint32_t node) const { return position_[node]; }
  bool before(std::uint32_t a, std::uint32_t b) const { return position_[a] < position_[b]; }

  // Adds an edge under a number that the caller chooses. Returns false, and adds nothing, when the edge would
  // close a cycle.
  bool insert(Edge edge, std::uint32_t number);
  void remove_last();
  std::size_t inserted() const { return inserted_.size(); }

  // A path from `from` to `to` through present edges that minimizes the sum of cost(number), which is 0 or 1
  // for each edge. Returns the numbers of its edges; empty when there is no path.
  template <class Cost>
  std::vector<std::uint32_t> cheapest_path(std::uint32_t from, std::uint32_t to, Cost cost);

  // The moves since the last call: the node, and the position that it left, in the present numbering.
  struct Moved {
    std::uint32_t node;
    Place from;
  };
  std::vector<Moved> take_moved() { return std::exchange(moved_, {}); }

  // Calls visit(node, edge number) for each neighbour until it returns false.
  template <class Visit>
  void successors(std::uint32_t node, Visit visit) const {
    each(out_, out_head_, out_link_, node, visit);
  }
  template <class Visit>
  void predecessors(std::uint32_t node, Visit visit) const {
    each(in_, in_head_, in_link_, node, visit);
  }

 private:
  struct Link {
    std::uint32_t node, number, next;
  };
  static constexpr std::uint32_t kEnd = UINT32_MAX;

  template <class Visit>
  static void each(const Digraph& permanent, const std::vector<std::uint32_t>& head,
                   const std::vector<Link>& links, std::uint32_t node, Visit visit) {
    const auto fixed = permanent.successors(node);
    for (std::size_t i = 0; i < fixed.size(); ++i)
      if (!visit(fixed[i], permanent.edge(node, i))) return;
    for (std::uint32_t i = head[node]; i != kEnd; i = links[i].next)
      if (!visit(links[i].node, links[i].number)) return;
  }

  bool collect_between(Edge edge);
  void move_behind(std::uint32_t node, std::vector<std::uint32_t>& block);
  void renumber();

  Digraph out_, in_;
  std::vector<std::uint32_t> out_head_, in_head_;
  std::vector<Link> out_link_, in_link_;
  std::vector<Edge> inserted_;
  std::vector<std::uint32_t> next_, previous_;  // by node; an extra node is both ends of the list
  std::vector<Place> position_;                 // by node; the extra node has 0
  std::vector<Moved> moved_;

  // Scratch space. A node is marked in the current search when its mark_ equals search_.
  std::vector<std::uint32_t> mark_, forward_, backward_;
  std::uint32_t search_ = 0;
  std::vector<std::uint32_t> parent_node_, parent_edge_, distance_;
};

template <class Cost>
std::vector<std::uint32_t> DynamicOrder::cheapest_path(std::uint32_t from, std::uint32_t to, Cost cost) {
  parent_node_.resize(position_.size());
  parent_edge_.resize(position_.size());
  distance_.resize(position_.size());
  ++search_;
  // Breadth-first search by total cost: `now` holds nodes at cost `reached`, `later` those at one more.
  std::vector<std::uint32_t> now{from}, later;
  mark_[from] = search_;
  distance_[from] = 0;
  for (std::uint32_t reached = 0; !now.empty(); ++reached) {
    const auto arrived = [&] { return mark_[to] == search_ && distance_[to] == reached; };
    for (std::size_t i = 0; i < now.size() && !arrived(); ++i) {
      const std::uint32_t node = now[i];
      if (distance_[node] != reached) continue;
      successors(node, [&](std::uint32_t next, std::uint32_t number) {
        if (position_[next] > position_[to]) return true;
        const std::uint32_t distance = reached + (cost(number) ? 1 : 0);
        if (mark_[next] == search_ && distance_[next] <= distance) return true;
        mark_[next] = search_;
        distance_[next] = distance;
        parent_node_[next] = node;
        parent_edge_[next] = number;
        (distance == reached ? now : later).push_back(next);
        return !arrived();
      });
    }
    if (arrived()) break;
    now.swap(later);
    later.clear();
  }
  std::vector<std::uint32_t> path;
  if (mark_[to] != search_) return path;
  for (std::uint32_t node = to; node != from; node = parent_node_[node]) path.push_back(parent_edge_[node]);
  return {path.rbegin(), path.rend()};
}

}  // namespace assay
