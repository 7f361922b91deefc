#include "graph/clocks.h"

#include <algorithm>
#include <utility>

#include "base/contract.h"

namespace assay {

Clocks::Clocks(ChainCover cover)
    : cover_(std::move(cover)), chains_(cover_.chain_count()), rows_(cover_.chain.size() * chains_),
      place_(cover_.chain.size()), later_head_(cover_.chain.size(), kEnd), before_at_(cover_.chain.size()),
      grew_in_(cover_.chain.size()), is_waiting_(cover_.chain.size()) {}

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

// False: a node would reach itself.
bool Clocks::grow(std::uint32_t from, std::uint32_t to) {
  if (!has_news(from, to)) return true;
  if (grew_in_[to] != batch_) {
    grew_in_[to] = batch_;
    before_at_[to] = static_cast<std::uint32_t>(changed_.size());
    before_.insert(before_.end(), row(to), row(to) + chains_);
    changed_.push_back(to);
  }
  pass_on(from, to);
  if (!is_waiting_[to]) {
    is_waiting_[to] = true;
    waiting_.push(place_[to]);
  }
  return !reaches(to, to);
}

bool Clocks::take(std::span<const Edge> edges) {
  ASSAY_REQUIRE(edges.size() >= taken_);
  if (!first_) return begin(edges);
  changed_.clear();
  before_.clear();
  ++batch_;
  for (const Edge edge : edges.subspan(taken_)) {
    later_.push_back({edge.to, std::exchange(later_head_[edge.from], static_cast<std::uint32_t>(later_.size()))});
    if (!grow(edge.from, edge.to)) return false;
  }
  while (!waiting_.empty()) {
    const std::uint32_t node = order_[waiting_.top()];
    waiting_.pop();
    is_waiting_[node] = false;
    for (const std::uint32_t to : first_->successors(node))
      if (!grow(node, to)) return false;
    for (std::uint32_t i = later_head_[node]; i != kEnd; i = later_[i].next)
      if (!grow(node, later_[i].to)) return false;
  }
  taken_ = edges.size();
  return true;
}

bool Clocks::begin(std::span<const Edge> edges) {
  first_.emplace(place_.size(), edges);
  auto order = topological_order(*first_);
  if (!order) return false;
  order_ = std::move(*order);
  for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
  for (const std::uint32_t node : order_) {
    for (const std::uint32_t to : first_->successors(node)) pass_on(node, to);
    if (std::any_of(row(node), row(node) + chains_, [](std::uint32_t reached) { return reached > 0; })) changed_.push_back(node);
  }
  taken_ = edges.size();
  return true;
}

}  // namespace assay
