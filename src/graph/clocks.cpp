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
      before_at_(cover_.chain.size(), kEnd),
      grew_in_(cover_.chain.size()),
      growth_of_(cover_.chain.size(), kEnd),
      all_chains_(chains_) {
  std::iota(all_chains_.begin(), all_chains_.end(), 0);
  ASSAY_REQUIRE(
      std::ranges::none_of(cover_.length, [](std::uint32_t length) { return length > kLongestChain; }));
}

// Passes a whole row on. Returns whether the target's row grew.
bool Clocks::pass_on(std::uint32_t from, std::uint32_t to) {
  const Reach* source = row(from);
  Reach* target = rows_.data() + std::size_t{to} * chains_;
  Reach news = 0;
  for (std::size_t c = 0; c < chains_; ++c) {
    const Reach larger = std::max(target[c], source[c]);
    news |= larger ^ target[c];
    target[c] = larger;
  }
  const std::uint32_t own = cover_.chain[from];
  if (own == ChainCover::kNone || target[own] > cover_.position[from]) return news != 0;
  target[own] = static_cast<Reach>(cover_.position[from] + 1);
  return true;
}

// Returns false when the node would reach itself.
bool Clocks::raise(std::uint32_t node, std::uint32_t chain, std::uint32_t reached) {
  Reach* target = rows_.data() + std::size_t{node} * chains_;
  if (target[chain] >= reached) return true;
  if (grew_in_[node] != batch_) {
    grew_in_[node] = batch_;
    if (changed_.size() < place_.size() / kCopiedOf) {
      before_at_[node] = static_cast<std::uint32_t>(changed_.size());
      before_.insert(before_.end(), target, target + chains_);
    }
    changed_.push_back(node);
  }
  target[chain] = static_cast<Reach>(reached);
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
  const Reach* source = row(from);
  const Reach* target = row(to);
  if (chains.size() * kFewOf > chains_) {  // the compiler vectorizes a comparison of whole rows
    Reach news = 0;
    for (std::size_t c = 0; c < chains_; ++c) news |= std::max(source[c], target[c]) ^ target[c];
    if (news == 0) return true;
    chains = all_chains_;
  }
  for (const std::uint32_t chain : chains)
    if (source[chain] > target[chain] && !raise(to, chain, source[chain])) return false;
  return true;
}

bool Clocks::take(std::span<const Edge> edges, Budget& budget) {
  ASSAY_REQUIRE(edges.size() >= taken_);
  for (const std::uint32_t node : changed_) before_at_[node] = kEnd;
  changed_.clear();
  before_.clear();
  ++batch_;
  if (!swept_ || (edges.size() - taken_) * kSweepFrom > edges.size()) return sweep(edges, budget);
  before_.reserve(place_.size() / kCopiedOf * chains_);
  return work_off(edges, budget);
}

bool Clocks::work_off(std::span<const Edge> edges, Budget& budget) {
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
    for (const std::uint32_t to : swept_->successors(node))
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

bool Clocks::sweep(std::span<const Edge> edges, Budget& budget) {
  swept_.emplace(place_.size(), edges);
  later_.clear();
  std::ranges::fill(later_head_, kEnd);
  const auto order = topological_order(*swept_);
  if (!order) return false;
  if (order_.empty()) follow(*order);
  for (const std::uint32_t node : *order) {
    if (budget.is_spent()) break;
    const auto successors = swept_->successors(node);
    for (std::size_t i = 0; i < successors.size(); ++i) {
      const std::uint32_t to = successors[i];
      if (grew_in_[node] != batch_ && swept_->edge(node, i) < taken_) continue;
      if (!pass_on(node, to) || grew_in_[to] == batch_) continue;
      grew_in_[to] = batch_;
      changed_.push_back(to);
    }
  }
  taken_ = edges.size();
  return true;
}

}  // namespace assay
