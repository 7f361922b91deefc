#include "encoding/psi_reachability.h"

namespace assay {

bool PsiReachability::reaches(std::uint32_t from, std::uint32_t to) {
  const DynamicOrder& order = execution_;
  ++search_;
  queue_.assign(1, to);
  visited_[to] = search_;
  const auto is_new = [&](std::uint32_t node) {
    return visited_[node] != search_ && !order.before(node, from);
  };
  const auto arrive = [&](std::uint32_t node, Step step) {
    visited_[node] = search_;
    step_[node] = step;
    queue_.push_back(node);
  };
  for (std::size_t i = 0; i < queue_.size() && visited_[from] != search_; ++i) {
    const std::uint32_t node = queue_[i];
    order.predecessors(node, [&](std::uint32_t before, std::uint32_t edge) {
      if (is_new(before)) arrive(before, {node, edge});
      return true;
    });
    const TxnId t = points_.txn(node);
    for (const VersionId v : facts_.versions_by(t)) {
      const VersionId overwritten = previous_[v.index()];
      if (facts_.is_initial(overwritten)) continue;
      const TxnId writer = facts_.writer(overwritten);
      const std::uint32_t before = points_.commit(writer);
      if (is_new(before) && !order_choices_.is_decided(writer, t)) arrive(before, {node, kUndecided});
    }
  }
  return visited_[from] == search_;
}

}  // namespace assay
