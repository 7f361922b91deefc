#include "graph/dynamic_order.h"

#include <algorithm>
#include <utility>

#include "base/contract.h"

namespace assay {
namespace {

std::vector<Edge> reversed(std::span<const Edge> edges) {
  std::vector<Edge> result(edges.begin(), edges.end());
  for (Edge& edge : result) std::swap(edge.from, edge.to);
  return result;
}

}  // namespace

DynamicOrder::DynamicOrder(std::size_t nodes, std::span<const Edge> permanent, std::vector<std::uint32_t> order)
    : out_(nodes, permanent), in_(nodes, reversed(permanent)), out_head_(nodes, kEnd), in_head_(nodes, kEnd),
      order_(std::move(order)), position_(nodes), mark_(nodes, 0) {
  ASSAY_REQUIRE(order_.size() == nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) position_[order_[i]] = i;
}

bool DynamicOrder::insert(Edge edge, std::uint32_t number) {
  if (edge.from == edge.to) return false;
  if (before(edge.to, edge.from)) {
    if (!collect_between(edge)) return false;
    reorder();
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

// What `to` reaches and what reaches `from`, of the nodes from `to` to `from` in the order. False: a cycle.
bool DynamicOrder::collect_between(Edge edge) {
  const std::uint32_t low = position_[edge.to], high = position_[edge.from];
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

// What reaches `from` moves before what `to` reaches, into the places that both have now.
void DynamicOrder::reorder() {
  const auto by_position = [&](std::uint32_t a, std::uint32_t b) { return before(a, b); };
  std::ranges::sort(backward_, by_position);
  std::ranges::sort(forward_, by_position);
  places_.clear();
  for (const auto* nodes : {&backward_, &forward_})
    for (const std::uint32_t node : *nodes) places_.push_back(position_[node]);
  std::ranges::sort(places_);
  std::size_t i = 0;
  for (const auto* nodes : {&backward_, &forward_})
    for (const std::uint32_t node : *nodes) {
      moved_.push_back({node, position_[node]});
      position_[node] = places_[i];
      order_[places_[i++]] = node;
    }
}

}  // namespace assay
