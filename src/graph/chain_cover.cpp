#include "graph/chain_cover.h"

#include "base/contract.h"

namespace assay {

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
