#include "graph/dynamic_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/contract.h"

namespace assay {
namespace {

constexpr DynamicOrder::Place kLast = DynamicOrder::Place{1} << 62;

std::vector<Edge> reversed(std::span<const Edge> edges) {
  std::vector<Edge> result(edges.begin(), edges.end());
  for (Edge& edge : result) std::swap(edge.from, edge.to);
  return result;
}

}  // namespace

DynamicOrder::DynamicOrder(std::size_t nodes, std::span<const Edge> permanent,
                           std::vector<std::uint32_t> order)
    : out_(nodes, permanent),
      in_(nodes, reversed(permanent)),
      out_head_(nodes, kEnd),
      in_head_(nodes, kEnd),
      next_(nodes + 1),
      previous_(nodes + 1),
      position_(nodes + 1),
      mark_(nodes, 0) {
  ASSAY_REQUIRE(order.size() == nodes);
  order.push_back(static_cast<std::uint32_t>(nodes));
  for (std::uint32_t i = 0; i <= nodes; ++i) {
    next_[order[i]] = order[i == nodes ? 0 : i + 1];
    previous_[order[i]] = order[i == 0 ? nodes : i - 1];
  }
  renumber();
}

std::vector<std::uint32_t> DynamicOrder::order() const {
  const auto head = static_cast<std::uint32_t>(next_.size() - 1);
  std::vector<std::uint32_t> order;
  order.reserve(head);
  for (std::uint32_t node = next_[head]; node != head; node = next_[node]) order.push_back(node);
  return order;
}

// Numbers all nodes anew, with equal gaps, and translates the old positions in moved_ to the new numbers.
void DynamicOrder::renumber() {
  const auto head = static_cast<std::uint32_t>(next_.size() - 1);
  const Place gap = kLast / next_.size();
  std::vector<std::uint32_t> by_from(moved_.size());
  std::iota(by_from.begin(), by_from.end(), 0u);
  std::ranges::sort(by_from, {}, [&](std::uint32_t i) { return moved_[i].from; });
  auto left = by_from.begin();
  Place place = 0;
  for (std::uint32_t next = next_[head];; next = next_[next]) {
    for (Place from = place; left != by_from.end() && (next == head || moved_[*left].from < position_[next]);
         ++left)
      moved_[*left].from = ++from;
    if (next == head) return;
    position_[next] = place += gap;
  }
}

bool DynamicOrder::insert(Edge edge, std::uint32_t number) {
  if (edge.from == edge.to) return false;
  if (before(edge.to, edge.from)) {
    if (!collect_between(edge)) return false;
    if (forward_.size() <= backward_.size()) move_behind(edge.from, forward_);
    else move_behind(previous_[edge.to], backward_);
  }
  out_link_.push_back({edge.to, number, out_head_[edge.from]});
  in_link_.push_back({edge.from, number, in_head_[edge.to]});
  out_head_[edge.from] = in_head_[edge.to] = static_cast<std::uint32_t>(inserted_.size());
  inserted_.push_back(edge);
  return true;
}

void DynamicOrder::remove_last() {
  const Edge edge = inserted_.back();
  inserted_.pop_back();
  out_head_[edge.from] = out_link_.back().next;
  in_head_[edge.to] = in_link_.back().next;
  out_link_.pop_back();
  in_link_.pop_back();
}

// Collects, among the nodes from edge.to to edge.from in the order, those that edge.to reaches (forward_) and
// those that reach edge.from (backward_). Returns false when the edge closes a cycle.
bool DynamicOrder::collect_between(Edge edge) {
  const Place low = position_[edge.to], high = position_[edge.from];
  bool cycle = false;
  ++search_;
  forward_.assign(1, edge.to);
  mark_[edge.to] = search_;
  for (std::size_t i = 0; i < forward_.size() && !cycle; ++i)
    successors(forward_[i], [&](std::uint32_t next, std::uint32_t) {
      if (next == edge.from) cycle = true;
      if (position_[next] < high && mark_[next] != search_) {
        mark_[next] = search_;
        forward_.push_back(next);
      }
      return !cycle;
    });
  if (cycle) return false;
  ++search_;
  backward_.assign(1, edge.from);
  mark_[edge.from] = search_;
  for (std::size_t i = 0; i < backward_.size(); ++i)
    predecessors(backward_[i], [&](std::uint32_t next, std::uint32_t) {
      if (position_[next] > low && mark_[next] != search_) {
        mark_[next] = search_;
        backward_.push_back(next);
      }
      return true;
    });
  return true;
}

// Moves the block, in its present order, to just after `node`, which must not belong to it.
void DynamicOrder::move_behind(std::uint32_t node, std::vector<std::uint32_t>& block) {
  std::ranges::sort(block, {}, [&](std::uint32_t n) { return position_[n]; });
  for (const std::uint32_t moving : block) {
    moved_.push_back({moving, position_[moving]});
    next_[previous_[moving]] = next_[moving];
    previous_[next_[moving]] = previous_[moving];
  }
  const std::uint32_t after = next_[node];
  const Place begin = position_[node], end = after + 1 == next_.size() ? kLast : position_[after];
  const Place step = (end - begin) / (block.size() + 1);
  for (const std::uint32_t moving : block) {
    position_[moving] = position_[node] + step;
    next_[node] = moving;
    previous_[moving] = node;
    node = moving;
  }
  next_[node] = after;
  previous_[after] = node;
  if (step == 0) renumber();
}

}  // namespace assay
