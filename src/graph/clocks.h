// Reachability in a growing acyclic graph, without a table of all pairs of nodes.
//
// k chains cover the graph (chain_cover.h). The clock of a node b holds, for each chain, how many nodes of
// the chain reach b. These are the first ones of the chain, so a reaches b exactly when a's position in its
// chain is smaller than b's number for that chain. The clocks take n * k numbers, and a query is one look-up.
// (The chain compression of Jagadish 1990, made incremental.) Numbers have 16 bits, which halves what clocks
// cost in memory and in time: longer chains are cut first (chain_cover.h).
//
// Edges arrive in batches. A large batch, like the first one, is propagated by one sweep: the nodes, in
// topological order, pass their whole rows on along new edges, and along all edges if their row has grown. It
// costs O(nodes + edges) and O(k) for each edge along which a row is passed on.
// A small batch is propagated with a worklist: whenever a number in a node's row grows, the node passes the
// grown numbers on to its successors. The worklist takes nodes in a stored order; the closer that order is to
// a topological one, the fewer nodes are visited twice. This costs O(k) for each edge of the batch, plus one
// step for each number that grows and each outgoing edge of its node, however large the graph is.
//
// There is no second set of clocks for the other direction (the first node of each chain that b reaches). It
// would answer "which nodes does b reach" from one row, but asking each of those nodes "which nodes reach
// you" finds the same pairs.
#pragma once

#include <functional>
#include <limits>
#include <queue>

#include "base/budget.h"
#include "base/zeroed_array.h"
#include "graph/chain_cover.h"

namespace assay {

class Clocks {
 public:
  using Reach = std::uint16_t;
  static constexpr std::uint32_t kLongestChain = std::numeric_limits<Reach>::max();

  // A node that is in no chain must not have edges. No chain may be longer than kLongestChain.
  explicit Clocks(ChainCover cover);

  // An upper bound: the rows, and copies of some from before the last batch.
  static std::size_t bytes(std::size_t nodes, std::size_t chains) {
    return (nodes + nodes / kCopiedOf) * chains * sizeof(Reach);
  }

  // `edges`: all edges so far, those of the last call first. Returns false when they form a cycle. After
  // that, and after the budget is spent, the clocks must not be used any more.
  bool take(std::span<const Edge> edges, Budget& budget = Budget::unlimited());
  std::size_t edges_taken() const { return taken_; }

  // Strict: no node reaches itself.
  bool reaches(std::uint32_t a, std::uint32_t b) const {
    return reach(b, cover_.chain[a]) > cover_.position[a];
  }
  // How many nodes of the chain reach b.
  std::uint32_t reach(std::uint32_t b, std::uint32_t chain) const { return row(b)[chain]; }
  const Reach* row(std::uint32_t b) const { return rows_.data() + std::size_t{b} * chains_; }
  const ChainCover& cover() const { return cover_; }
  // Prefetches a row that is about to be queried.
  void fetch(std::uint32_t node) const {
    const auto* first = reinterpret_cast<const char*>(row(node));
    for (std::size_t byte = 0; byte < chains_ * sizeof(Reach) && byte < 4 * 64; byte += 64)
      __builtin_prefetch(first + byte);
  }

  // The nodes whose rows the last batch changed, each once.
  std::span<const std::uint32_t> changed() const { return changed_; }
  // The row of a changed node as it was before the last batch, or nullptr if no copy is kept. A sweep keeps
  // none, and a worklist only the first ones.
  const Reach* row_before(std::uint32_t node) const {
    return before_at_[node] == kEnd ? nullptr : before_.data() + std::size_t{before_at_[node]} * chains_;
  }
  // A node's position in the order of the worklist: a topological order of the first batch, until follow()
  // sets another.
  std::uint32_t place(std::uint32_t node) const { return place_[node]; }
  void follow(std::span<const std::uint32_t> order);

 private:
  bool sweep(std::span<const Edge> edges, Budget& budget);
  bool work_off(std::span<const Edge> edges, Budget& budget);
  bool pass_on(std::uint32_t from, std::uint32_t to);
  bool raise(std::uint32_t node, std::uint32_t chain, std::uint32_t reached);
  bool raise_all(std::uint32_t from, std::uint32_t to, std::span<const std::uint32_t> chains);

  ChainCover cover_;
  std::size_t chains_;
  ZeroedArray<Reach> rows_;
  std::vector<std::uint32_t> order_, place_;
  std::size_t taken_ = 0;

  static constexpr std::size_t kSweepFrom = 100;  // a batch of more than 1/100 of all edges is swept
  static constexpr std::size_t kCopiedOf = 4;     // a worklist copies at most 1/4 of the rows
  std::optional<Digraph> swept_;                  // the edges up to the last sweep
  struct Later {
    std::uint32_t to, next;
  };
  static constexpr std::uint32_t kEnd = UINT32_MAX;
  static constexpr std::size_t kFewOf = 8;  // more than 1/8 of the row: compare the whole row
  std::vector<Later> later_;                // edges after the last sweep, in a linked list per source
  std::vector<std::uint32_t> later_head_;

  std::vector<std::uint32_t> changed_;
  std::vector<Reach> before_;             // copied rows
  std::vector<std::uint32_t> before_at_;  // by node: index of its copied row, or kEnd
  std::uint32_t batch_ = 0;
  std::vector<std::uint32_t> grew_in_;  // by node: the last batch in which its row grew
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>
      waiting_;                                     // the worklist: positions of nodes whose rows grew
  std::vector<std::uint32_t> growth_of_;            // by node: its entry in growth_, or kEnd
  std::vector<std::vector<std::uint32_t>> growth_;  // chains whose numbers the node must pass on
  std::vector<std::uint32_t> free_growth_;          // unused entries of growth_
  std::vector<std::uint32_t> all_chains_;
};

}  // namespace assay
