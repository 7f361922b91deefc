// Matches left nodes with right nodes, each with a partner of its own, or shows why that is impossible.
//
// If it is impossible, some left nodes have fewer neighbours together than they are themselves (Hall 1935).
// Left nodes are matched one after the other: an augmenting path starts at the new one, takes a free
// neighbour or goes on from the partner of a taken one. If there is no such path, the left nodes that the
// search met are crowded: all their neighbours are taken, by all of them but one. So the first failure ends
// the search.
//
// Almost all nodes find a free neighbour at once: O(edges). At worst O(left nodes * edges).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/budget.h"

namespace assay {

class Matching {
 public:
  // Right nodes are 0 to right_nodes - 1.
  explicit Matching(std::size_t right_nodes) : partner_(right_nodes, kNone), from_(right_nodes, kNone) {}

  // Adds the next left node, 0 at first, and matches it. Returns false if this is impossible; then no further
  // node may be added.
  bool add(std::span<const std::uint32_t> neighbours, Budget& budget);
  // After add() returned false: left nodes that are more than their neighbours together. Empty if the budget
  // was spent instead.
  const std::vector<std::uint32_t>& crowded() const { return met_; }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::span<const std::uint32_t> neighbours(std::uint32_t left) const {
    return {neighbours_.data() + begin_[left], begin_[left + 1] - begin_[left]};
  }
  void augment(std::uint32_t right);

  std::vector<std::uint32_t> begin_{0}, neighbours_;  // by left node
  std::vector<std::uint32_t> partner_;                // by right node: the left node that has it
  std::vector<std::uint32_t> from_;     // by right node: the left node by which the current search met it
  std::vector<std::uint32_t> matched_;  // by left node
  std::vector<std::uint32_t> met_;      // left nodes of the current search
};

}  // namespace assay
