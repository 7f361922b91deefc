#include "saturation/saturate.h"

#include <utility>

#include "graph/clocks.h"
#include "saturation/chains.h"

namespace assay {
namespace {

using Kind = EdgeCause::Kind;

constexpr std::size_t kMostBytes = std::size_t{512} << 20;

// The same chains of points: each transaction's snapshot, then its commit.
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

class Saturator {
 public:
  Saturator(const History& history, const ReadFacts& facts, const VersionIndex& versions, const PointRules& rules,
            KnownGraph& known, const TxnChains& chains)
      : h_(history), facts_(facts), versions_(versions), rules_(rules), known_(known),
        points_(history.transaction_count(), rules.two_points), writers_(facts, chains.cover, history.key_count()),
        clocks_(cover_of_points(chains.cover, points_)), nothing_(chains.cover.chain_count()), earlier_(facts.writes.size()) {
    result_.chains = chains.how;
  }

  Saturation run(const std::function<bool()>& stop) {
    for (;;) {
      if (stop()) return ended(Saturation::End::Stopped);
      if (!clocks_.take(known_.edges)) {
        result_.cycle = find_cycle(Digraph(points_.node_count(), known_.edges));
        return ended(Saturation::End::Cycle);
      }
      ++result_.rounds;
      const std::size_t before = known_.edges.size();
      if (!look_at(result_.rounds == 1 ? clocks_.order() : clocks_.changed())) return ended(Saturation::End::Stale);
      if (known_.edges.size() == before) return ended(Saturation::End::Fixpoint);
    }
  }

 private:
  // A writer of the key in question, the last of its chain to reach the point in question.
  struct Candidate {
    TxnId txn;
    VersionId version;
  };

  Saturation ended(Saturation::End end) {
    result_.end = end;
    result_.justified = clocks_.edges_taken();
    return std::move(result_);
  }

  bool look_at(std::span<const std::uint32_t> nodes) {
    last_writer_.assign(h_.key_count(), TxnId::none());
    for (const std::uint32_t node : nodes) {
      const TxnId t = points_.txn(node);
      if (!facts_.counts[t.index()]) continue;
      if (node == points_.snapshot(t) && !look_at_reads(t)) return false;
      if (node == points_.commit(t)) look_at_writes(t);
    }
    return true;
  }

  // How many transactions of a chain have their commit (or snapshot) among its first `count` points.
  std::uint32_t commits(std::uint32_t count) const { return rules_.two_points ? count / 2 : count; }
  std::uint32_t snapshots(std::uint32_t count) const { return rules_.two_points ? (count + 1) / 2 : count; }

  void imply(std::uint32_t from, std::uint32_t to, EdgeCause cause) {
    if (!clocks_.reaches(from, to)) known_.add(from, to, cause);
  }

  // False: a version newer than the initial one it read reaches it.
  bool look_at_reads(TxnId reader) {
    const std::uint32_t* row = clocks_.row(points_.snapshot(reader));
    for (const ReadFact& read : facts_.of(reader)) {
      candidates_.clear();
      const std::uint32_t* settled = read.writer.is_none() ? nothing_.data() : clocks_.row(put_before(read.writer));
      writers_.last_between(
          read.key, [&](std::uint32_t chain) { return commits(settled[chain]); },
          [&](std::uint32_t chain) { return commits(row[chain]); }, read.writer,
          [&](const ChainWriters::Writer& seen) { candidates_.push_back({seen.txn, seen.version}); });
      if (!candidates_.empty() && read.writer.is_none()) {
        result_.read = static_cast<std::uint32_t>(&read - facts_.reads.data());
        result_.overwriting = candidates_.front().txn;
        return false;
      }
      if (!candidates_.empty()) put_before_writer(read);
    }
    return true;
  }

  // The point of a writer before which others commit whose versions its readers missed.
  std::uint32_t put_before(TxnId writer) const { return rules_.exclusive ? points_.snapshot(writer) : points_.commit(writer); }

  void put_before_writer(const ReadFact& read) {
    const TxnId last = last_candidate();
    for (const Candidate& missed : candidates_)
      if (is_needed(missed.txn, last)) imply(points_.commit(missed.txn), put_before(read.writer), {Kind::Missed, read.op});
  }

  void look_at_writes(TxnId writer) {
    const std::uint32_t* row = clocks_.row(points_.commit(writer));
    for (const VersionId version : facts_.versions_by(writer)) {
      const KeyId key = facts_.writes[version.index()];
      find_earlier(key, version, writer);
      candidates_.clear();
      const TxnId known = earlier_[version.index()];
      const std::uint32_t* settled = known.is_none() ? nothing_.data() : clocks_.row(points_.commit(known));
      writers_.last_between(
          key, [&](std::uint32_t chain) { return commits(settled[chain]); },
          [&](std::uint32_t chain) { return rules_.exclusive ? snapshots(row[chain]) : commits(row[chain]); }, writer,
          [&](const ChainWriters::Writer& earlier) { candidates_.push_back({earlier.txn, earlier.version}); });
      if (candidates_.empty()) put_after_readers(facts_.initial_version(key), writer);
      else put_after_versions(version, writer);
    }
  }

  // Some writer of the key that is known to be earlier; the later it is, the less there is to look at. Going along the
  // order, the one met last is a good guess, which the clocks confirm.
  void find_earlier(KeyId key, VersionId version, TxnId writer) {
    const TxnId last = std::exchange(last_writer_[key.index()], writer);
    if (!last.is_none() && clocks_.reaches(points_.commit(last), points_.commit(writer))) earlier_[version.index()] = last;
  }

  void put_after_versions(VersionId version, TxnId writer) {
    const TxnId last = earlier_[version.index()] = last_candidate();
    for (const Candidate& earlier : candidates_) {
      if (!is_needed(earlier.txn, last)) continue;
      if (rules_.exclusive) imply(points_.commit(earlier.txn), points_.snapshot(writer), {Kind::Exclusive});
      put_after_readers(earlier.version, writer);
    }
  }

  void put_after_readers(VersionId version, TxnId writer) {
    for (const std::uint32_t i : versions_.reads_of(version)) {
      const ReadFact& read = facts_.reads[i];
      if (read.reader == writer || (!rules_.total && !facts_.writes_key(read.reader, read.key))) continue;
      imply(points_.snapshot(read.reader), points_.commit(writer), {Kind::Overwritten, read.op});
    }
  }

  TxnId last_candidate() const {
    return std::ranges::max_element(candidates_, {}, [&](const Candidate& c) {
             return clocks_.place(points_.commit(c.txn));
           })->txn;
  }

  // What follows for a candidate that precedes another one follows from that one.
  bool is_needed(TxnId candidate, TxnId last) const {
    return candidate == last || !clocks_.reaches(points_.commit(candidate), points_.commit(last));
  }

  const History& h_;
  const ReadFacts& facts_;
  const VersionIndex& versions_;
  const PointRules& rules_;
  KnownGraph& known_;
  Points points_;
  ChainWriters writers_;
  Clocks clocks_;
  Saturation result_{};
  std::vector<std::uint32_t> nothing_;  // a clock that shows nobody
  std::vector<Candidate> candidates_;
  std::vector<TxnId> earlier_;      // by version: a writer of the key that precedes it, or none
  std::vector<TxnId> last_writer_;  // by key: whom this round met last
};

}  // namespace

Saturation saturate(const History& history, const ReadFacts& facts, const VersionIndex& versions, const PointRules& rules,
                    KnownGraph& known, const std::function<bool()>& stop) {
  const TxnChains chains = transaction_chains(history, facts, rules.session_order);
  const Points points(history.transaction_count(), rules.two_points);
  if (Clocks::bytes(points.node_count(), chains.cover.chain_count()) > kMostBytes) {
    Saturation declined{};
    declined.end = Saturation::End::Declined;
    declined.justified = known.edges.size();
    declined.chains = chains.how + ", too many for clocks";
    return declined;
  }
  return Saturator(history, facts, versions, rules, known, chains).run(stop);
}

}  // namespace assay
