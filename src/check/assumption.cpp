#include "check/assumption.h"

namespace assay {

// Node i separates block i from block i + 2: it comes after all commits of the blocks up to i, and before all
// snapshots from block i + 2 on. Transactions that need not count are not ordered.
Assumption assume_order(const KnownGraph& known, const ReadFacts& facts, const Guess& guess,
                        const Points& points, std::size_t window) {
  Assumption result{known, {{}, guess.broken, guess.is_broken}};
  KnownGraph& assumed = result.known;
  const auto first = static_cast<std::uint32_t>(known.nodes);
  std::uint32_t block = 0;
  std::size_t left = window;
  for (const std::uint32_t node : guess.order) {
    if (left == 0) {
      if (block > 0) assumed.add(first + block - 1, first + block, {Rule::Realtime});
      result.guess.order.push_back(first + block);
      ++block;
      left = window;
    }
    --left;
    result.guess.order.push_back(node);
    if (!points.is_point(node) || !facts.counts[points.txn(node).index()]) continue;
    if (points.is_commit(node)) assumed.add(node, first + block, {Rule::Realtime});
    if (block >= 2 && node == points.snapshot(points.txn(node)))
      assumed.add(first + block - 2, node, {Rule::Realtime});
  }
  result.guess.order.push_back(first + block);
  if (block > 0) assumed.add(first + block - 1, first + block, {Rule::Realtime});
  assumed.nodes = first + block + 1;
  if (assumed.clocks.empty()) assumed.clocks.push_back(first);
  assumed.clocks.push_back(static_cast<std::uint32_t>(assumed.nodes));
  return result;
}

}  // namespace assay
