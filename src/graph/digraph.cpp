#include "graph/digraph.h"

#include <algorithm>
#include <queue>

namespace assay {

Digraph::Digraph(std::size_t nodes, std::span<const Edge> edges)
    : begin_(nodes + 1), target_(edges.size()), edge_(edges.size()) {
  for (const Edge& e : edges) ++begin_[e.from + 1];
  for (std::size_t i = 0; i < nodes; ++i) begin_[i + 1] += begin_[i];
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::uint32_t at = next[edges[i].from]++;
    target_[at] = edges[i].to;
    edge_[at] = static_cast<std::uint32_t>(i);
  }
}

namespace {

// Kahn's algorithm. Returns, in topological order, the nodes that no cycle reaches. For the other nodes,
// `open` ends up with the number of predecessors that were not returned.
std::vector<std::uint32_t> peel(const Digraph& graph, std::vector<std::uint32_t>& open) {
  open.assign(graph.node_count(), 0);
  for (std::uint32_t node = 0; node < graph.node_count(); ++node)
    for (const std::uint32_t successor : graph.successors(node)) ++open[successor];
  std::vector<std::uint32_t> order;
  order.reserve(graph.node_count());
  for (std::uint32_t node = 0; node < graph.node_count(); ++node)
    if (open[node] == 0) order.push_back(node);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const std::uint32_t successor : graph.successors(order[i]))
      if (--open[successor] == 0) order.push_back(successor);
  return order;
}

// Every node that peel() left has a predecessor that it left too. Choose one such predecessor for each node
// and follow them: the walk must return to a node it has seen, and that node is on a cycle.
std::uint32_t node_on_a_cycle(const Digraph& graph, const std::vector<std::uint32_t>& open) {
  std::vector<std::uint32_t> before(graph.node_count(), UINT32_MAX);
  std::uint32_t start = UINT32_MAX;
  for (std::uint32_t node = 0; node < graph.node_count(); ++node) {
    if (open[node] == 0) continue;
    start = node;
    for (const std::uint32_t successor : graph.successors(node))
      if (open[successor] > 0) before[successor] = node;
  }
  std::vector<bool> seen(graph.node_count());
  std::uint32_t node = start;
  while (!seen[node]) {
    seen[node] = true;
    node = before[node];
  }
  return node;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> topological_order(const Digraph& graph) {
  std::vector<std::uint32_t> open;
  auto order = peel(graph, open);
  if (order.size() < graph.node_count()) return std::nullopt;
  return order;
}

std::optional<std::vector<std::uint32_t>> topological_order(const Digraph& graph,
                                                            std::span<const std::uint32_t> like) {
  std::vector<std::uint32_t> open(graph.node_count()), place(graph.node_count()), order;
  for (std::uint32_t i = 0; i < like.size(); ++i) place[like[i]] = i;
  for (std::uint32_t node = 0; node < graph.node_count(); ++node)
    for (const std::uint32_t successor : graph.successors(node)) ++open[successor];
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::uint32_t node = 0; node < graph.node_count(); ++node)
    if (open[node] == 0) ready.push(place[node]);
  order.reserve(graph.node_count());
  while (!ready.empty()) {
    const std::uint32_t node = like[ready.top()];
    ready.pop();
    order.push_back(node);
    for (const std::uint32_t successor : graph.successors(node))
      if (--open[successor] == 0) ready.push(place[successor]);
  }
  if (order.size() < graph.node_count()) return std::nullopt;
  return order;
}

std::vector<std::uint32_t> find_cycle(const Digraph& graph) {
  std::vector<std::uint32_t> open;
  if (peel(graph, open).size() == graph.node_count()) return {};
  const std::uint32_t start = node_on_a_cycle(graph, open);

  // Breadth-first search from `start` until it is reached again.
  struct Step {
    std::uint32_t from, edge;
  };
  std::vector<Step> reached(graph.node_count(), {UINT32_MAX, UINT32_MAX});
  std::vector<std::uint32_t> queue{start};
  for (std::size_t i = 0; i < queue.size() && reached[start].from == UINT32_MAX; ++i) {
    const auto successors = graph.successors(queue[i]);
    for (std::size_t j = 0; j < successors.size(); ++j) {
      if (reached[successors[j]].from != UINT32_MAX) continue;
      reached[successors[j]] = {queue[i], graph.edge(queue[i], j)};
      queue.push_back(successors[j]);
    }
  }
  std::vector<std::uint32_t> cycle;
  std::uint32_t node = start;
  do {
    cycle.push_back(reached[node].edge);
    node = reached[node].from;
  } while (node != start);
  std::reverse(cycle.begin(), cycle.end());
  return cycle;
}

}  // namespace assay
