#include "graph/clocks.h"

#include <algorithm>
#include <numeric>

#include "base/contract.h"

namespace assay {

Clocks::Clocks(ChainCover cover)
    : cover_(std::move(cover)), chains_(cover_.chain_count()), rows_(cover_.chain.size() * chains_),
      order_(cover_.chain.size()), place_(cover_.chain.size()), before_at_(cover_.chain.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  std::iota(place_.begin(), place_.end(), 0);
}

bool Clocks::agrees(std::span<const Edge> edges) const {
  return std::ranges::all_of(edges, [&](const Edge& e) { return place_[e.from] < place_[e.to]; });
}

// Whether `to` does not know yet all that reaches `from`, and `from`.
bool Clocks::has_news(std::uint32_t from, std::uint32_t to) const {
  const std::uint32_t* source = row(from);
  const std::uint32_t* target = row(to);
  std::uint32_t news = 0;
  for (std::size_t c = 0; c < chains_; ++c) news |= static_cast<std::uint32_t>(source[c] > target[c]);
  const std::uint32_t own = cover_.chain[from];
  return news != 0 || (own != ChainCover::kNone && cover_.position[from] >= target[own]);
}

void Clocks::pass_on(std::uint32_t from, std::uint32_t to) {
  const std::uint32_t* source = row(from);
  std::uint32_t* target = rows_.data() + std::size_t{to} * chains_;
  for (std::size_t c = 0; c < chains_; ++c) target[c] = std::max(target[c], source[c]);
  if (const std::uint32_t own = cover_.chain[from]; own != ChainCover::kNone)
    target[own] = std::max(target[own], cover_.position[from] + 1);
}

void Clocks::keep_row(std::uint32_t node) {
  before_at_[node] = static_cast<std::uint32_t>(before_.size() / std::max<std::size_t>(chains_, 1));
  before_.insert(before_.end(), row(node), row(node) + chains_);
}

bool Clocks::take(std::span<const Edge> edges) {
  ASSAY_REQUIRE(edges.size() >= taken_);
  const Digraph graph(order_.size(), edges);
  if (!agrees(edges.subspan(taken_))) {
    auto order = topological_order(graph);
    if (!order) return false;
    order_ = std::move(*order);
    for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
  }
  changed_.clear();
  before_.clear();
  std::vector<bool> grew(order_.size());
  for (const std::uint32_t node : order_) {
    const auto successors = graph.successors(node);
    if (grew[node]) changed_.push_back(node);
    for (std::size_t i = successors.size(); i-- > 0;) {
      if (!grew[node] && graph.edge(node, i) < taken_) break;  // a node's new edges are its last
      const std::uint32_t successor = successors[i];
      if (!has_news(node, successor)) continue;
      if (!grew[successor] && begun_) keep_row(successor);
      grew[successor] = true;
      pass_on(node, successor);
    }
  }
  taken_ = edges.size();
  begun_ = true;
  return true;
}

}  // namespace assay
