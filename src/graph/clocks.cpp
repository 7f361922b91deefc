#include "graph/clocks.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/contract.h"

namespace assay {

Clocks::Clocks(ChainCover cover)
    : cover_(std::move(cover)),
      chains_(cover_.chain_count()),
      rows_(cover_.chain.size() * chains_),
      place_(cover_.chain.size()),
      later_head_(cover_.chain.size(), kEnd),
      before_at_(cover_.chain.size()),
      grew_in_(cover_.chain.size()),
      growth_of_(cover_.chain.size(), kEnd),
      all_chains_(chains_) {
  std::iota(all_chains_.begin(), all_chains_.end(), 0);
}

void Clocks::pass_on(std::uint32_t from, std::uint32_t to) {
  const std::uint32_t* source = row(from);
  std::uint32_t* target = rows_.data() + std::size_t{to} * chains_;
  for (std::size_t c = 0; c < chains_; ++c) target[c] = std::max(target[c], source[c]);
  if (const std::uint32_t own = cover_.chain[from]; own != ChainCover::kNone)
    target[own] = std::max(target[own], cover_.position[from] + 1);
}

// Returns false when the node would reach itself.
bool Clocks::raise(std::uint32_t node, std::uint32_t chain, std::uint32_t reached) {
  std::uint32_t* target = rows_.data() + std::size_t{node} * chains_;
  if (target[chain] >= reached) return true;
  if (grew_in_[node] != batch_) {
    grew_in_[node] = batch_;
    before_at_[node] = static_cast<std::uint32_t>(changed_.size());
    before_.insert(before_.end(), target, target + chains_);
    changed_.push_back(node);
  }
  target[chain] = reached;
  if (growth_of_[node] == kEnd) {
    if (free_growth_.empty()) {
      free_growth_.push_back(static_cast<std::uint32_t>(growth_.size()));
      growth_.emplace_back();
    }
    growth_of_[node] = free_growth_.back();
    free_growth_.pop_back();
    waiting_.push(place_[node]);
  }
  growth_[growth_of_[node]].push_back(chain);
  return chain != cover_.chain[node] || reached <= cover_.position[node];
}

bool Clocks::raise_all(std::uint32_t from, std::uint32_t to, std::span<const std::uint32_t> chains) {
  const std::uint32_t* source = row(from);
  const std::uint32_t* target = row(to);
  if (chains.size() * kFewOf > chains_) {  // the compiler vectorizes a comparison of whole rows
    std::uint32_t news = 0;
    for (std::size_t c = 0; c < chains_; ++c) news |= static_cast<std::uint32_t>(source[c] > target[c]);
    if (news == 0) return true;
    chains = all_chains_;
  }
  for (const std::uint32_t chain : chains)
    if (source[chain] > target[chain] && !raise(to, chain, source[chain])) return false;
  return true;
}

bool Clocks::take(std::span<const Edge> edges, Budget& budget) {
  ASSAY_REQUIRE(edges.size() >= taken_);
  if (!first_) return begin(edges, budget);
  changed_.clear();
  before_.clear();
  ++batch_;
  for (const Edge edge : edges.subspan(taken_)) {
    if (budget.is_spent()) return true;
    later_.push_back(
        {edge.to, std::exchange(later_head_[edge.from], static_cast<std::uint32_t>(later_.size()))});
    if (!raise_all(edge.from, edge.to, all_chains_)) return false;
    if (!raise(edge.to, cover_.chain[edge.from], cover_.position[edge.from] + 1)) return false;
  }
  while (!waiting_.empty() && !budget.is_spent()) {
    const std::uint32_t node = order_[waiting_.top()];
    waiting_.pop();
    const std::uint32_t at = std::exchange(growth_of_[node], kEnd);
    std::vector<std::uint32_t> grown = std::move(growth_[at]);
    for (const std::uint32_t to : first_->successors(node))
      if (!raise_all(node, to, grown)) return false;
    for (std::uint32_t i = later_head_[node]; i != kEnd; i = later_[i].next)
      if (!raise_all(node, later_[i].to, grown)) return false;
    growth_[at] = std::move(grown);
    growth_[at].clear();
    free_growth_.push_back(at);
  }
  taken_ = edges.size();
  return true;
}

void Clocks::follow(std::span<const std::uint32_t> order) {
  order_.assign(order.begin(), order.end());
  for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
}

bool Clocks::begin(std::span<const Edge> edges, Budget& budget) {
  first_.emplace(place_.size(), edges);
  auto order = topological_order(*first_);
  if (!order) return false;
  follow(*order);
  for (const std::uint32_t node : order_) {
    if (budget.is_spent()) break;
    for (const std::uint32_t to : first_->successors(node)) pass_on(node, to);
    if (std::any_of(row(node), row(node) + chains_, [](std::uint32_t reached) { return reached > 0; }))
      changed_.push_back(node);
  }
  taken_ = edges.size();
  return true;
}

}  // namespace assay
