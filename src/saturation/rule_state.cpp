#include "saturation/rule_state.h"

#include <algorithm>

namespace assay {
namespace {

// The chains as chains of points: each transaction's snapshot, then its commit.
ChainCover cover_of_points(ChainCover cover, const Points& points) {
  if (!points.two()) return cover;
  ChainCover result(points.node_count());
  result.length = cover.length;
  for (std::uint32_t& length : result.length) length *= 2;
  for (std::uint32_t t = 0; t < cover.chain.size(); ++t)
    for (const std::uint32_t node : {points.snapshot(TxnId(t)), points.commit(TxnId(t))}) {
      result.chain[node] = cover.chain[t];
      result.position[node] = 2 * cover.position[t] + node % 2;
    }
  return result;
}

// The chains of points, and after them the chains of times.
ChainCover cover_of_nodes(ChainCover cover, const Points& points, const KnownGraph& known) {
  ChainCover result = cover_of_points(std::move(cover), points);
  result.chain.resize(known.nodes, ChainCover::kNone);
  result.position.resize(known.nodes);
  for (std::size_t i = 0; i + 1 < known.clocks.size(); ++i) {
    const std::uint32_t chain = result.add_chain();
    for (std::uint32_t time = known.clocks[i]; time < known.clocks[i + 1]; ++time) result.append(chain, time);
  }
  return cut(std::move(result), Clocks::kLongestChain);
}

}  // namespace

RuleState::RuleState(const History& of, const ReadFacts& its_facts, const VersionIndex& its_versions,
                     const PointRules& level, KnownGraph& graph, ChainCover chains)
    : history(of),
      facts(its_facts),
      versions(its_versions),
      rules(level),
      known(graph),
      two(level.two_points),
      points(of.transaction_count(), level.two_points),
      writers(facts, chains, of.key_count()),
      txn_chains(static_cast<std::uint32_t>(chains.chain_count())),
      clocks(cover_of_nodes(std::move(chains), points, known)),
      nobody_(clocks.cover().chain_count()) {}

void RuleState::find_seen(KeyId key, TxnId writer, TxnId reader) {
  found.clear();
  const Clocks::Reach* row = clocks.row(points.snapshot(reader));
  const Clocks::Reach* settled = writer.is_none() ? nobody_.data() : clocks.row(put_before(writer));
  writers.last_between(
      key, writers.all_chains(), [&](std::uint32_t chain) { return commits(settled[chain]); },
      [&](std::uint32_t chain) { return commits(row[chain]); }, writer,
      [&](const ChainWriters::Writer& seen) {
        found.push_back({writers.txn(seen), seen.version});
      });
}

void RuleState::find_earlier(KeyId key, TxnId writer, TxnId earlier) {
  found.clear();
  const Clocks::Reach* row = clocks.row(points.commit(writer));
  const std::uint32_t round_up = rules.exclusive ? two : 0;  // with exclusive writers, the snapshot is enough
  const Clocks::Reach* settled = earlier.is_none() ? nobody_.data() : clocks.row(points.commit(earlier));
  writers.last_between(
      key, writers.all_chains(), [&](std::uint32_t chain) { return commits(settled[chain]); },
      [&](std::uint32_t chain) { return (row[chain] + round_up) >> two; }, writer,
      [&](const ChainWriters::Writer& before) {
        found.push_back({writers.txn(before), before.version});
      });
}

TxnId RuleState::last_found() const {
  return std::ranges::max_element(found, {},
                                  [&](const Writer& w) { return clocks.place(points.commit(w.txn)); })
      ->txn;
}

}  // namespace assay
