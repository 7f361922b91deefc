// Who reaches whom in a graph that grows, without a table of all pairs.
//
// The graph is covered by k chains. The clock of a node b holds, for each chain, how many of its nodes reach b; they
// are the first ones of the chain, so a reaches b exactly when a's position is below that number. n * k numbers, and a
// question is one look-up.
//
// Edges come in batches. A batch that agrees with the topological order at hand leaves it alone; then rows are
// passed on in that order, along new edges and along the edges of nodes whose row grew. Cost of a batch:
// O(nodes + edges), and O(k) for each edge that passes something on.
//
// Clocks in the other direction (the first node of each chain that b reaches) would answer "whom does b reach" from
// one row. Asked from the other end, "who of the chain reaches this one", the same pairs are found without them.
#pragma once

#include "graph/chain_cover.h"

namespace assay {

class Clocks {
 public:
  // Nodes in no chain pass on what reaches them, and nobody can ask whom they reach.
  explicit Clocks(ChainCover cover);

  // At most: the rows, and what they were before a batch.
  static std::size_t bytes(std::size_t nodes, std::size_t chains) { return 2 * nodes * chains * sizeof(std::uint32_t); }

  // `edges`: all edges of the graph so far; those of the last call come first. False, and nothing taken in, when
  // there is a cycle.
  bool take(std::span<const Edge> edges);
  std::size_t edges_taken() const { return taken_; }

  // Strict: no node reaches itself.
  bool reaches(std::uint32_t a, std::uint32_t b) const { return reach(b, cover_.chain[a]) > cover_.position[a]; }
  // How many nodes of the chain reach b.
  std::uint32_t reach(std::uint32_t b, std::uint32_t chain) const { return row(b)[chain]; }
  const std::uint32_t* row(std::uint32_t b) const { return rows_.data() + std::size_t{b} * chains_; }
  const ChainCover& cover() const { return cover_; }

  // Nodes whose rows the last batch changed, in topological order.
  std::span<const std::uint32_t> changed() const { return changed_; }
  // What the row of such a node was before the last batch; before the first one all rows were zero, and are not kept.
  const std::uint32_t* row_before(std::uint32_t node) const { return before_.data() + std::size_t{before_at_[node]} * chains_; }
  // Of the graph as it was taken in.
  std::span<const std::uint32_t> order() const { return order_; }
  std::uint32_t place(std::uint32_t node) const { return place_[node]; }

 private:
  bool agrees(std::span<const Edge> edges) const;
  bool has_news(std::uint32_t from, std::uint32_t to) const;
  void pass_on(std::uint32_t from, std::uint32_t to);
  void keep_row(std::uint32_t node);

  ChainCover cover_;
  std::size_t chains_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> order_, place_;
  std::vector<std::uint32_t> changed_;
  std::vector<std::uint32_t> before_, before_at_;  // rows; which of them, by node
  std::size_t taken_ = 0;
  bool begun_ = false;
};

}  // namespace assay
