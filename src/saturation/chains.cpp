#include "saturation/chains.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "dependency/points.h"

namespace assay {
namespace {

ChainCover cover_by_sessions(const History& h, const ReadFacts& facts) {
  ChainCover cover(h.transaction_count());
  for (const SessionId s : h.sessions()) {
    std::uint32_t chain = ChainCover::kNone;
    for (const TxnId t : h.transactions(s)) {
      if (!facts.counts[t.index()] && !facts.may_count_only(t)) continue;
      if (h.outcome(t) != Outcome::Committed) {
        cover.append(cover.add_chain(), t.value);
        continue;
      }
      if (chain == ChainCover::kNone) chain = cover.add_chain();
      cover.append(chain, t.value);
    }
  }
  return cover;
}

}  // namespace

TxnChains transaction_chains(const History& history, const ReadFacts& facts, bool session_order) {
  // Up to 4 sqrt(n) sessions are taken as they are, without looking for fewer chains. Whether the clocks of
  // that many fit into memory is for the caller to ask.
  const double few = 4 * std::sqrt(static_cast<double>(history.transaction_count()));
  std::size_t sessions = SIZE_MAX;
  if (session_order) {
    ChainCover cover = cover_by_sessions(history, facts);
    sessions = cover.chain_count();
    if (static_cast<double>(sessions) <= few)
      return {std::move(cover), fmt::format("{} chains, by session", sessions)};
  }
  // Only edges from a commit to a snapshot make chains at every level.
  const KnownGraph known = known_graph(history, facts, PointRules{.session_order = session_order});
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < known.edges.size(); ++i)
    if (known.causes[i].rule == Rule::Session || known.causes[i].rule == Rule::Reads)
      edges.push_back(known.edges[i]);
  std::vector<bool> wanted = facts.counts;
  for (std::size_t t = 0; t < facts.may_count.size(); ++t)
    if (facts.may_count[t]) wanted[t] = true;
  ChainCover greedy = cover_greedily(Digraph(history.transaction_count(), edges), wanted);
  if (sessions <= greedy.chain_count())
    return {cover_by_sessions(history, facts), fmt::format("{} chains, by session", sessions)};
  const std::size_t chains = greedy.chain_count();
  return {std::move(greedy), fmt::format("{} chains, by greedy cover", chains)};
}

ChainWriters::ChainWriters(const ReadFacts& facts, const ChainCover& cover, std::size_t keys)
    : chains_(cover.chain_count()), chain_begin_(chains_ + 1), key_begin_(keys + 1) {
  for (std::size_t c = 0; c < chains_; ++c) chain_begin_[c + 1] = chain_begin_[c] + cover.length[c];
  by_chain_.resize(chain_begin_.back());
  for (std::uint32_t t = 0; t < cover.chain.size(); ++t)
    if (cover.chain[t] != ChainCover::kNone)
      by_chain_[chain_begin_[cover.chain[t]] + cover.position[t]] = TxnId(t);

  for (const TxnId t : by_chain_)
    if (facts.counts[t.index()])
      for (const KeyId key : facts.written_by(t)) ++key_begin_[key.index() + 1];
  for (std::size_t i = 0; i < keys; ++i) key_begin_[i + 1] += key_begin_[i];
  writers_.resize(key_begin_.back());
  std::vector<std::uint32_t> at(key_begin_.begin(), key_begin_.end() - 1);
  for (const TxnId t : by_chain_)
    if (facts.counts[t.index()])
      for (const VersionId v : facts.versions_by(t))
        writers_[at[facts.writes[v.index()].index()]++] = {cover.chain[t.index()], cover.position[t.index()],
                                                           v};
}

void ChainWriters::prepare(KeyId key) {
  const auto writers = of(key);
  prepared_ = KeyId::none();
  if (writers.size() <= kFew * chains_) return;
  prepared_ = key;
  block_shift_ = static_cast<std::uint32_t>(std::bit_width(by_chain_.size() / writers.size())) - 1;
  block_begin_.clear();
  blocks_.clear();
  std::uint32_t before = 0;
  for (std::uint32_t chain = 0; chain < chains_; ++chain) {
    block_begin_.push_back(static_cast<std::uint32_t>(blocks_.size()));
    const std::uint32_t length = chain_begin_[chain + 1] - chain_begin_[chain];
    for (std::uint32_t block = 0; block <= length >> block_shift_; ++block) {
      while (before < writers.size() && writers[before].chain == chain &&
             writers[before].position < block << block_shift_)
        ++before;
      blocks_.push_back(before);
    }
    while (before < writers.size() && writers[before].chain == chain) ++before;
  }
  block_begin_.push_back(static_cast<std::uint32_t>(blocks_.size()));
  blocks_.push_back(before);
}

}  // namespace assay
