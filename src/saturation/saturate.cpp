#include "saturation/saturate.h"

#include <utility>

namespace assay {
namespace {

using Kind = EdgeCause::Kind;

// Points that reach another one since the last round, for each key to be looked at: looking costs about as much as finding
// out about these whether one must.
constexpr std::uint32_t kManyNews = 4;
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

// And after them the chains of times.
ChainCover cover_of_nodes(ChainCover cover, const Points& points, const KnownGraph& known) {
  ChainCover result = cover_of_points(std::move(cover), points);
  result.chain.resize(known.nodes, ChainCover::kNone);
  result.position.resize(known.nodes);
  for (std::size_t i = 0; i + 1 < known.clocks.size(); ++i) {
    const std::uint32_t chain = result.add_chain();
    for (std::uint32_t time = known.clocks[i]; time < known.clocks[i + 1]; ++time) result.append(chain, time);
  }
  return result;
}

}  // namespace

Saturator::Saturator(const History& history, const ReadFacts& facts, const VersionIndex& versions, const PointRules& rules,
                     KnownGraph& known, TxnChains chains)
    : h_(history), facts_(facts), versions_(versions), rules_(rules), two_(rules.two_points), known_(known),
      points_(history.transaction_count(), rules.two_points), writers_(facts, chains.cover, history.key_count()),
      txn_chains_(static_cast<std::uint32_t>(chains.cover.chain_count())),
      clocks_(cover_of_nodes(std::move(chains.cover), points_, known)), named_(history.key_count()),
      nothing_(clocks_.cover().chain_count()), earlier_(facts.writes.size()), marks_(history.key_count()) {
  known_.given = known_.edges.size();
}

bool Saturator::fits(const TxnChains& chains, const KnownGraph& known) {
  const std::size_t of_time = known.clocks.empty() ? 0 : known.clocks.size() - 1;
  return Clocks::bytes(known.nodes, chains.cover.chain_count() + of_time) <= kMostBytes;
}

Saturation Saturator::ended(Saturation::End end) {
  result_.end = end;
  result_.justified = clocks_.edges_taken();
  return std::move(result_);
}

Saturation Saturator::look_at(std::span<const KeyId> keys, std::span<const std::uint32_t> order,
                              const std::function<bool()>& stop) {
  std::vector<KeyId> fresh;
  for (const KeyId key : keys)
    if (!named_[key.index()]) {
      named_[key.index()] = true;
      fresh.push_back(key);
    }
  for (bool first = true;; first = false) {
    if (stop()) return ended(Saturation::End::Stopped);
    if (!clocks_.take(known_.edges)) {
      result_.cycle = find_cycle(Digraph(known_.nodes, known_.edges));
      return ended(Saturation::End::Cycle);
    }
    if (first) clocks_.follow(order);
    ++rounds_;
    const std::size_t before = known_.edges.size();
    if (!(first ? look_at_keys(fresh) : look_at_changed())) return ended(Saturation::End::Stale);
    if (known_.edges.size() == before) return ended(Saturation::End::Fixpoint);
  }
}

// Key by key: the clocks of a key's writers are asked about for each of its reads.
bool Saturator::look_at_keys(std::span<const KeyId> keys) {
  std::vector<VersionId> in_order;
  for (const KeyId key : keys) {
    const auto versions = versions_.of(key);
    in_order.assign(versions.begin(), versions.end());
    std::ranges::sort(in_order, {}, [&](VersionId v) { return clocks_.place(points_.commit(facts_.writer(v))); });
    if (!look_at_readers(key, facts_.initial_version(key))) return false;
    TxnId last;
    for (const VersionId version : in_order) {
      if (!look_at_readers(key, version)) return false;
      const TxnId writer = facts_.writer(version);
      if (!last.is_none() && clocks_.reaches(points_.commit(last), points_.commit(writer))) earlier_[version.index()] = last;
      last = writer;
      look_at_write(version);
    }
  }
  return true;
}

bool Saturator::look_at_readers(KeyId key, VersionId version) {
  const auto readers = versions_.readers_of(version);
  for (std::size_t i = 0; i < readers.size(); ++i)
    if (!look_at_read(key, facts_.writer(version), readers[i], versions_.reads_of(version)[i])) return false;
  return true;
}

// Of a changed point only what concerns the transactions that reach it now and did not before.
bool Saturator::look_at_changed() {
  for (const std::uint32_t node : clocks_.changed()) {
    if (!points_.is_point(node)) continue;
    const TxnId t = points_.txn(node);
    mark_ += 2;
    std::uint32_t keys = 0;
    const auto mark = [&](KeyId key) {
      if (!named_[key.index()]) return;
      marks_[key.index()] = mark_;
      ++keys;
    };
    if (node == points_.snapshot(t))
      for (const ReadFact& read : facts_.of(t)) mark(read.key);
    if (node == points_.commit(t))
      for (const KeyId key : facts_.written_by(t)) mark(key);
    if (keys == 0) continue;
    const std::uint32_t wanted = has_many_news(node, keys) ? mark_ : mark_ + 1;
    if (wanted > mark_) mark_news(node);
    if (node == points_.snapshot(t))
      for (const ReadFact& read : facts_.of(t))
        if (marks_[read.key.index()] == wanted && !look_at_read(read.key, read.writer, t, facts_.place(read))) return false;
    if (node == points_.commit(t))
      for (const VersionId version : facts_.versions_by(t))
        if (marks_[facts_.writes[version.index()].index()] == wanted) look_at_write(version);
  }
  return true;
}

// Then looking at everything is cheaper than finding out what to look at.
bool Saturator::has_many_news(std::uint32_t node, std::uint32_t keys) const {
  const std::uint32_t* now = clocks_.row(node);
  const std::uint32_t* before = clocks_.row_before(node);
  std::uint32_t news = 0;
  for (std::size_t chain = 0; chain < txn_chains_; ++chain) news += now[chain] - before[chain];
  return news > kManyNews * keys;
}

// Those of the marked keys that are written by somebody who reaches the point now get the next mark.
void Saturator::mark_news(std::uint32_t node) {
  const bool by_snapshot = rules_.exclusive && points_.is_commit(node);
  const auto reached = [&](std::uint32_t count) { return by_snapshot ? snapshots(count) : commits(count); };
  const std::uint32_t* now = clocks_.row(node);
  const std::uint32_t* before = clocks_.row_before(node);
  for (std::uint32_t chain = 0; chain < txn_chains_; ++chain) {
    if (now[chain] == before[chain]) continue;
    for (std::uint32_t i = reached(before[chain]); i < reached(now[chain]); ++i)
      for (const KeyId key : facts_.written_by(writers_.at(chain, i)))
        if (marks_[key.index()] == mark_) marks_[key.index()] = mark_ + 1;
  }
}

void Saturator::imply(std::uint32_t from, std::uint32_t to, EdgeCause cause) {
  if (!clocks_.reaches(from, to)) known_.add(from, to, cause);
}

// False: it read the initial version, and a newer one reaches it.
bool Saturator::look_at_read(KeyId key, TxnId writer, TxnId reader, std::uint32_t read) {
  candidates_.clear();
  const std::uint32_t* row = clocks_.row(points_.snapshot(reader));
  const std::uint32_t* settled = writer.is_none() ? nothing_.data() : clocks_.row(put_before(writer));
  writers_.last_between(
      key, [&](std::uint32_t chain) { return commits(settled[chain]); },
      [&](std::uint32_t chain) { return commits(row[chain]); }, writer,
      [&](const ChainWriters::Writer& seen) { candidates_.push_back({seen.txn, seen.version}); });
  if (candidates_.empty()) return true;
  const TxnId last = last_candidate();
  if (writer.is_none()) {
    result_.read = read;
    result_.overwriting = last;
    return false;
  }
  for (const Candidate& missed : candidates_)
    if (is_needed(missed.txn, last))
      imply(points_.commit(missed.txn), put_before(writer), {Kind::Missed, facts_.reads[read].op});
  return true;
}

// The point of a writer before which others commit whose versions its readers missed.
std::uint32_t Saturator::put_before(TxnId writer) const { return rules_.exclusive ? points_.snapshot(writer) : points_.commit(writer); }

void Saturator::look_at_write(VersionId version) {
  candidates_.clear();
  const KeyId key = facts_.writes[version.index()];
  const TxnId writer = facts_.version_writer[version.index()], known = earlier_[version.index()];
  const std::uint32_t* row = clocks_.row(points_.commit(writer));
  const std::uint32_t round_up = rules_.exclusive ? two_ : 0;  // an exclusive writer's snapshot is enough
  const std::uint32_t* settled = known.is_none() ? nothing_.data() : clocks_.row(points_.commit(known));
  writers_.last_between(
      key, [&](std::uint32_t chain) { return commits(settled[chain]); },
      [&](std::uint32_t chain) { return (row[chain] + round_up) >> two_; }, writer,
      [&](const ChainWriters::Writer& earlier) { candidates_.push_back({earlier.txn, earlier.version}); });
  if (candidates_.empty()) put_after_readers(facts_.initial_version(key), writer);
  else put_after_versions(version, writer);
}

void Saturator::put_after_versions(VersionId version, TxnId writer) {
  const TxnId last = earlier_[version.index()] = last_candidate();
  for (const Candidate& earlier : candidates_) {
    if (!is_needed(earlier.txn, last)) continue;
    if (rules_.exclusive) imply(points_.commit(earlier.txn), points_.snapshot(writer), {Kind::Exclusive});
    put_after_readers(earlier.version, writer);
  }
}

void Saturator::put_after_readers(VersionId version, TxnId writer) {
  const auto readers = versions_.readers_of(version);
  for (std::size_t i = 0; i < readers.size(); ++i) {
    const std::uint32_t from = points_.snapshot(readers[i]), to = points_.commit(writer);
    if (readers[i] == writer || clocks_.reaches(from, to)) continue;
    if (!rules_.total && !facts_.writes_key(readers[i], facts_.key(version))) continue;
    known_.add(from, to, {Kind::Overwritten, facts_.reads[versions_.reads_of(version)[i]].op});
  }
}

TxnId Saturator::last_candidate() const {
  return std::ranges::max_element(candidates_, {}, [&](const Candidate& c) {
           return clocks_.place(points_.commit(c.txn));
         })->txn;
}

// What follows for a candidate that precedes another one follows from that one.
bool Saturator::is_needed(TxnId candidate, TxnId last) const {
  return candidate == last || !clocks_.reaches(points_.commit(candidate), points_.commit(last));
}

}  // namespace assay
