// Who reaches whom in a graph that grows, without a table of all pairs.
//
// The graph is covered by k chains. The clock of a node b holds, for each chain, how many of its nodes reach
// b; they are the first ones of the chain, so a reaches b exactly when a's position is below that number. n *
// k numbers, and a question is one look-up.
//
// Edges come in batches. The first is passed on in topological order. Later ones are passed on from where
// they end, first what comes first in the order at hand (the nearer to topological, the less is done twice),
// and a node again whenever its row grew again; of a row only the numbers that grew. Cost of a later batch:
// O(k) for each of its edges, and, whatever the size of the graph, a step for each number that grew and each
// edge of its node.
//
// Clocks in the other direction (the first node of each chain that b reaches) would answer "whom does b
// reach" from one row. Asked from the other end, "who of the chain reaches this one", the same pairs are
// found without them.
#pragma once

#include <functional>
#include <queue>

#include "base/budget.h"
#include "base/zeroed_array.h"
#include "graph/chain_cover.h"

namespace assay {

class Clocks {
 public:
  // Nodes in no chain have no edges.
  explicit Clocks(ChainCover cover);

  // At most: the rows, and what they were before a batch.
  static std::size_t bytes(std::size_t nodes, std::size_t chains) {
    return 2 * nodes * chains * sizeof(std::uint32_t);
  }

  // `edges`: all edges of the graph so far; those of the last call come first. False when there is a cycle.
  // Then, and when the budget is spent, the clocks are of no use any more.
  bool take(std::span<const Edge> edges, Budget& budget = Budget::unlimited());
  std::size_t edges_taken() const { return taken_; }

  // Strict: no node reaches itself.
  bool reaches(std::uint32_t a, std::uint32_t b) const {
    return reach(b, cover_.chain[a]) > cover_.position[a];
  }
  // How many nodes of the chain reach b.
  std::uint32_t reach(std::uint32_t b, std::uint32_t chain) const { return row(b)[chain]; }
  const std::uint32_t* row(std::uint32_t b) const { return rows_.data() + std::size_t{b} * chains_; }
  const ChainCover& cover() const { return cover_; }
  // Brings a row near, before it is asked about.
  void fetch(std::uint32_t node) const {
    const auto* first = reinterpret_cast<const char*>(row(node));
    for (std::size_t byte = 0; byte < chains_ * sizeof(std::uint32_t) && byte < 4 * 64; byte += 64)
      __builtin_prefetch(first + byte);
  }

  // Nodes whose rows the last batch changed, once each.
  std::span<const std::uint32_t> changed() const { return changed_; }
  // What the row of such a node was before the last batch; before the first one all rows were zero, and are
  // not kept.
  const std::uint32_t* row_before(std::uint32_t node) const {
    return before_.data() + std::size_t{before_at_[node]} * chains_;
  }
  // The order at hand: a topological one of the first batch, until follow() gives another.
  std::uint32_t place(std::uint32_t node) const { return place_[node]; }
  void follow(std::span<const std::uint32_t> order);

 private:
  bool begin(std::span<const Edge> edges, Budget& budget);
  void pass_on(std::uint32_t from, std::uint32_t to);
  bool raise(std::uint32_t node, std::uint32_t chain, std::uint32_t reached);
  bool raise_all(std::uint32_t from, std::uint32_t to, std::span<const std::uint32_t> chains);

  ChainCover cover_;
  std::size_t chains_;
  ZeroedArray<std::uint32_t> rows_;
  std::vector<std::uint32_t> order_, place_;
  std::size_t taken_ = 0;

  std::optional<Digraph> first_;  // batch of edges
  struct Later {
    std::uint32_t to, next;
  };
  static constexpr std::uint32_t kEnd = UINT32_MAX;
  static constexpr std::size_t kFewOf = 8;  // one in so many numbers of a row
  std::vector<Later> later_;                // edges, in a list per source
  std::vector<std::uint32_t> later_head_;

  std::vector<std::uint32_t> changed_;
  std::vector<std::uint32_t> before_, before_at_;  // rows; which of them, by node
  std::uint32_t batch_ = 0;
  std::vector<std::uint32_t> grew_in_;  // by node: the batch
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>
      waiting_;                                     // places of nodes that grew
  std::vector<std::uint32_t> growth_of_;            // by node: the place of its growth, or kEnd
  std::vector<std::vector<std::uint32_t>> growth_;  // chains whose number is to be passed on
  std::vector<std::uint32_t> free_growth_;          // places that nobody uses
  std::vector<std::uint32_t> all_chains_;
};

}  // namespace assay
