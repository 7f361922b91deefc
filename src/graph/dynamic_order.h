// A total order of nodes that stays topological while edges come and go.
//
// As Pearce and Kelly do it, an edge that agrees with the order costs nothing, and one that does not concerns
// only what its end reaches and what reaches its beginning, of the nodes between them. Where they put both
// into the places that both had, so that each passes others that have nothing to do with the edge, here the
// smaller of the two moves as a whole past the other end, and everybody else stays. The order is a list, and
// the places of nodes are numbers with gaps; when a gap is full, all get new ones.
//
// Edges are removed last in, first out, and the order stays as it is: it is still right for fewer edges, and
// it remembers what was learnt about them. Permanent edges lie in flat arrays, the others in linked lists
// through one array. Cost of an insertion against the order: the edges between the two ends; nothing
// recurses.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "graph/digraph.h"

namespace assay {

class DynamicOrder {
 public:
  // `order` holds every node and agrees with the permanent edges, whose numbers are their places in the list.
  DynamicOrder(std::size_t nodes, std::span<const Edge> permanent, std::vector<std::uint32_t> order);

  using Place = std::uint64_t;
  std::vector<std::uint32_t> order() const;  // linear
  Place position(std::uint32_t node) const { return position_[node]; }
  bool before(std::uint32_t a, std::uint32_t b) const { return position_[a] < position_[b]; }

  // Adds an edge with a number of the caller's. False, and nothing added, when it would close a cycle.
  bool insert(Edge edge, std::uint32_t number);
  void remove_last();
  std::size_t inserted() const { return inserted_.size(); }

  // The numbers of the edges of a path from `from` to `to`, along which the sum of cost(number), each 0 or 1,
  // is least; empty when there is none. Only edges that are in the graph now.
  template <class Cost>
  std::vector<std::uint32_t> cheapest_path(std::uint32_t from, std::uint32_t to, Cost cost);

  // Nodes that moved since the last call, each time with where they came from, as places are now.
  struct Moved {
    std::uint32_t node;
    Place from;
  };
  std::vector<Moved> take_moved() { return std::exchange(moved_, {}); }

  // Calls visit(node, edge number) until it returns false.
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
  std::vector<std::uint32_t> next_, previous_;  // by node; one more begins and ends the list
  std::vector<Place> position_;                 // of that one: 0
  std::vector<Moved> moved_;

  // Scratch. A node is marked in this search when mark_ holds its number.
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
  // Breadth first over edges that cost nothing, then over those that cost one, and so on.
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
