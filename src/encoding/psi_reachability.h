// Reachability at psi: whether one transaction reaches another, and along which edges.
//
// A path may use known edges, edges activated by a literal, and the order of two adjacent writers of a key in
// the current execution, if the search has not decided it. The search for a path goes backwards, breadth
// first, and skips nodes before the start of the path in the execution. Its cost is the number of edges and
// writes of the transactions between the two ends.
#pragma once

#include "encoding/order_choices.h"

namespace assay {

class PsiReachability {
 public:
  PsiReachability(const SearchProblem& problem, const DynamicOrder& execution,
                  const OrderChoices& order_choices)
      : facts_(problem.facts),
        points_(problem.points),
        execution_(execution),
        order_choices_(order_choices),
        previous_(facts_.writes.size()),
        step_(points_.node_count()),
        visited_(points_.node_count()) {}

  // The version before this one in the current execution.
  VersionId previous(VersionId version) const { return previous_[version.index()]; }
  void set_previous(VersionId version, VersionId previous) { previous_[version.index()] = previous; }

  // Whether there is a path from one node to another. If so, step() then follows a shortest one.
  bool reaches(std::uint32_t from, std::uint32_t to);
  static constexpr std::uint32_t kUndecided = UINT32_MAX;
  struct Step {
    std::uint32_t to, edge;  // kUndecided: an order of two writers that the search has not decided
  };
  Step step(std::uint32_t node) const { return step_[node]; }

 private:
  const ReadFacts& facts_;
  const Points points_;
  const DynamicOrder& execution_;
  const OrderChoices& order_choices_;
  std::vector<VersionId> previous_;             // by version
  std::vector<Step> step_;                      // by node
  std::vector<std::uint32_t> queue_, visited_;  // by node: the last search that visited it
  std::uint32_t search_ = 0;
};

}  // namespace assay
