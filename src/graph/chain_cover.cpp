#include "graph/chain_cover.h"

#include <algorithm>

#include "base/contract.h"

namespace assay {

ChainCover cut(ChainCover cover, std::uint32_t most) {
  if (std::ranges::none_of(cover.length, [&](std::uint32_t length) { return length > most; })) return cover;
  std::vector<std::uint32_t> first_piece, length;  // by old chain; by piece
  for (std::uint32_t left : cover.length) {
    first_piece.push_back(static_cast<std::uint32_t>(length.size()));
    for (; left > most; left -= most) length.push_back(most);
    length.push_back(left);
  }
  for (std::size_t node = 0; node < cover.chain.size(); ++node) {
    if (cover.chain[node] == ChainCover::kNone) continue;
    cover.chain[node] = first_piece[cover.chain[node]] + cover.position[node] / most;
    cover.position[node] %= most;
  }
  cover.length = std::move(length);
  return cover;
}

ChainCover cover_greedily(const Digraph& graph, const std::vector<bool>& wanted) {
  ChainCover cover(graph.node_count());
  const auto order = topological_order(graph);
  ASSAY_REQUIRE(order.has_value());
  // A node offers its chain to its successors. The first successor in topological order takes it.
  std::vector<std::vector<std::uint32_t>> offers(graph.node_count());
  std::vector<std::uint32_t> last;  // by chain: its last node so far
  for (const std::uint32_t node : *order) {
    if (!wanted[node]) continue;
    for (const std::uint32_t before : offers[node])
      if (last[cover.chain[before]] == before) {
        cover.append(cover.chain[before], node);
        break;
      }
    offers[node] = {};
    if (cover.chain[node] == ChainCover::kNone) {
      cover.append(cover.add_chain(), node);
      last.push_back(node);
    }
    last[cover.chain[node]] = node;
    for (const std::uint32_t successor : graph.successors(node)) offers[successor].push_back(node);
  }
  return cover;
}

}  // namespace assay
