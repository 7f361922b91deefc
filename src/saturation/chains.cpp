#include "saturation/chains.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <functional>
#include <queue>

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

// Up to 4 sqrt(n) sessions are used as chains, without a search for fewer. The caller checks whether the
// clocks of that many chains fit into memory.
bool is_few(std::size_t chains, std::size_t transactions) {
  return static_cast<double>(chains) <= 4 * std::sqrt(static_cast<double>(transactions));
}

bool may_count(const ReadFacts& facts, TxnId t) { return facts.counts[t.index()] || facts.may_count_only(t); }

// By transaction: the time after its commit, and the time before its snapshot.
struct Times {
  static constexpr std::uint32_t kNone = UINT32_MAX;
  std::vector<std::uint32_t> after_commit, before_snapshot;
  bool any = false;  // some snapshot comes after a time

  Times(const ReadFacts& facts, const KnownGraph& known, const Points& points, std::uint32_t first,
        std::uint32_t beyond)
      : after_commit(facts.counts.size(), kNone), before_snapshot(facts.counts.size(), kNone) {
    const auto is_of_this_chain = [&](std::uint32_t node) { return node >= first && node < beyond; };
    for (std::size_t i = known.timed; i < known.edges.size(); ++i) {
      const auto [from, to] = known.edges[i];
      if (is_of_this_chain(to) && points.is_point(from) && points.is_commit(from)) {
        after_commit[points.txn(from).index()] = to;
      } else if (is_of_this_chain(from) && points.is_point(to) && to == points.snapshot(points.txn(to))) {
        before_snapshot[points.txn(to).index()] = from;
        any = true;
      }
    }
  }
};

}  // namespace

std::optional<TxnChains> chains_along_times(const ReadFacts& facts, const KnownGraph& known,
                                            const Points& points) {
  for (std::size_t c = known.clocks.size(); c-- > 1;) {
    const Times times(facts, known, points, known.clocks[c - 1], known.clocks[c]);
    if (!times.any) continue;
    // Times have increasing numbers. Transactions whose snapshots come after no time are first.
    std::vector<std::pair<std::uint32_t, TxnId>> by_snapshot;
    for (std::uint32_t t = 0; t < facts.counts.size(); ++t)
      if (may_count(facts, TxnId(t))) by_snapshot.emplace_back(times.before_snapshot[t] + 1, TxnId(t));
    std::ranges::sort(by_snapshot);
    ChainCover cover(facts.counts.size());
    using Open =
        std::pair<std::uint32_t, std::uint32_t>;  // the time after the chain's last commit; the chain
    std::priority_queue<Open, std::vector<Open>, std::greater<>> open;
    for (const auto& [beyond, t] : by_snapshot) {
      std::uint32_t chain;
      if (!open.empty() && open.top().first < beyond) {
        chain = open.top().second;
        open.pop();
      } else {
        chain = cover.add_chain();
      }
      cover.append(chain, t.value);
      const std::uint32_t time = times.after_commit[t.index()];
      if (facts.counts[t.index()] && time != Times::kNone) open.emplace(time, chain);
    }
    const std::size_t chains = cover.chain_count();
    return TxnChains{std::move(cover), fmt::format("{} chains, along times", chains)};
  }
  return std::nullopt;
}

TxnChains fewest_chains(const History& history, const ReadFacts& facts, const PointRules& rules,
                        const KnownGraph& known) {
  TxnChains chains = transaction_chains(history, facts, rules.session_order);
  if (is_few(chains.cover.chain_count(), history.transaction_count())) return chains;
  auto along_times = chains_along_times(facts, known, Points(history.transaction_count(), rules.two_points));
  const bool fewer = along_times && along_times->cover.chain_count() < chains.cover.chain_count();
  return fewer ? std::move(*along_times) : std::move(chains);
}

TxnChains transaction_chains(const History& history, const ReadFacts& facts, bool session_order) {
  std::size_t sessions = SIZE_MAX;
  if (session_order) {
    ChainCover cover = cover_by_sessions(history, facts);
    sessions = cover.chain_count();
    if (is_few(sessions, history.transaction_count()))
      return {std::move(cover), fmt::format("{} chains, by session", sessions)};
  }
  // Only edges from a commit to a snapshot order transactions as a whole, at every level.
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
