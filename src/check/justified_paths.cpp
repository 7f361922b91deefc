#include "check/justified_paths.h"

#include "base/contract.h"

namespace assay {

void JustifiedPaths::prepare() {
  std::vector<Edge> edges(known_.edges.begin(),
                          known_.edges.begin() + static_cast<std::ptrdiff_t>(justified_));
  const auto order = topological_order(Digraph(known_.nodes, edges));
  ASSAY_ASSERT(order.has_value());
  place_.resize(order->size());
  for (std::uint32_t i = 0; i < order->size(); ++i) place_[(*order)[i]] = i;
  for (Edge& edge : edges) std::swap(edge.from, edge.to);
  backwards_.emplace(known_.nodes, edges);
  reached_.resize(known_.nodes);
}

// Searches backwards from `to`, breadth first: over given edges only, then over one derived edge, and so on.
std::vector<std::uint32_t> JustifiedPaths::find(std::uint32_t from, std::uint32_t to, std::size_t limit) {
  if (!backwards_) prepare();
  ++search_;
  reached_[to] = {0, 0, search_};
  std::vector<std::uint32_t> now{to}, later;
  for (std::uint32_t distance = 0; !now.empty(); ++distance) {
    for (std::size_t i = 0; i < now.size() && now[i] != from; ++i) {
      const std::uint32_t node = now[i];
      if (reached_[node].distance != distance) continue;
      const auto before = backwards_->successors(node);
      for (std::size_t j = 0; j < before.size(); ++j) {
        const std::uint32_t edge = backwards_->edge(node, j);
        if (edge >= limit || place_[before[j]] < place_[from]) continue;
        const std::uint32_t there = distance + (edge >= known_.given ? 1 : 0);
        Reached& step = reached_[before[j]];
        if (step.search == search_ && step.distance <= there) continue;
        step = {edge, there, search_};
        (there == distance ? now : later).push_back(before[j]);
      }
    }
    if (reached_[from].search == search_ && reached_[from].distance == distance) break;
    now.swap(later);
    later.clear();
  }
  ASSAY_ASSERT(reached_[from].search == search_);
  std::vector<std::uint32_t> result;
  for (std::uint32_t node = from; node != to; node = known_.edges[result.back()].to)
    result.push_back(reached_[node].edge);
  return result;
}

}  // namespace assay
