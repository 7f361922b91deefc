#include "dependency/ranks.h"

#include <algorithm>
#include <numeric>

namespace assay {

std::vector<std::uint32_t> ranks(const History& h) {
  const std::size_t n = h.transaction_count();
  std::vector<std::uint32_t> by_rank(n), rank(n);
  std::iota(by_rank.begin(), by_rank.end(), 0);
  std::size_t same_session = 0;
  for (std::size_t i = 1; i < n; ++i) same_session += h.session(TxnId(i)) == h.session(TxnId(i - 1));
  if (h.has_instants()) {
    std::vector<std::int64_t> time(n, INT64_MAX);
    for (const TxnId t : h.transactions()) {
      const Instants at = h.instants(t);
      const bool ended = at.end && h.outcome(t) == Outcome::Committed;
      if (ended || at.begin) time[t.index()] = ended ? *at.end : *at.begin;
    }
    std::ranges::stable_sort(by_rank, {}, [&](std::uint32_t t) { return time[t]; });
  } else if (same_session * 2 > n) {  // the file lists session after session
    std::vector<double> progress(n);
    for (const TxnId t : h.transactions())
      progress[t.index()] = (h.position(t) + 0.5) / static_cast<double>(h.transactions(h.session(t)).size());
    std::ranges::stable_sort(by_rank, {}, [&](std::uint32_t t) { return progress[t]; });
  }
  for (std::uint32_t i = 0; i < n; ++i) rank[by_rank[i]] = i;
  return rank;
}

VersionId likely_version(const ReadFacts& facts, const OpenRead& read, std::span<const std::uint32_t> rank,
                         const KnownGraph* known) {
  VersionId best;
  const auto time = [&](VersionId v) {
    return facts.is_initial(v) ? -1 : std::int64_t{rank[facts.writer(v).index()]};
  };
  const std::int64_t now = rank[read.reader.index()];
  for (std::uint32_t candidate = read.first; candidate < read.last; ++candidate) {
    const VersionId v = facts.candidates[candidate];
    if (known != nullptr && known->is_excluded(candidate)) continue;
    if (!facts.is_initial(v) && (facts.is_conditional(v) || !facts.counts[facts.writer(v).index()])) continue;
    if (best.is_none()) best = v;
    else if (time(v) < now ? time(v) > time(best) || time(best) > now
                           : time(v) < time(best) && time(best) > now)
      best = v;
  }
  return best;
}

}  // namespace assay
