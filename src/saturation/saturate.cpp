#include "saturation/saturate.h"

#include <utility>

namespace assay {
namespace {

using Kind = EdgeCause::Kind;

// Points that reach another one since the last round, for each key to be looked at: looking costs about as
// much as finding out about these whether one must.
constexpr std::uint32_t kManyNews = 4;
// Of the memory that is left; the rest is for what is derived, the search, and whoever else runs.
constexpr std::size_t kPartOfMemory = 3;

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

Saturator::Saturator(const History& history, const ReadFacts& facts, const VersionIndex& versions,
                     const PointRules& rules, KnownGraph& known, TxnChains chains, Budget& budget)
    : h_(history),
      facts_(facts),
      versions_(versions),
      rules_(rules),
      two_(rules.two_points),
      known_(known),
      budget_(budget),
      points_(history.transaction_count(), rules.two_points),
      writers_(facts, chains.cover, history.key_count()),
      txn_chains_(static_cast<std::uint32_t>(chains.cover.chain_count())),
      clocks_(cover_of_nodes(std::move(chains.cover), points_, known)),
      named_(history.key_count()),
      nothing_(clocks_.cover().chain_count()),
      earlier_(facts.writes.size()),
      marks_(history.key_count()) {
  known_.given = known_.edges.size();
  known_.decided.assign(facts.conditional.size(), KnownGraph::Decided::Open);
  if (facts.open.empty()) return;
  known_.excluded.resize(facts.candidates.size());
  first_settled_.assign(facts.writes.size() + history.key_count(), kNone);
  next_settled_.resize(facts.open.size());
  known_.settled.assign(facts.open.size(), KnownGraph::kOpen);
}

bool Saturator::fits(const TxnChains& chains, const KnownGraph& known, const Budget& budget) {
  const std::size_t of_time = known.clocks.empty() ? 0 : known.clocks.size() - 1;
  return Clocks::bytes(known.nodes, chains.cover.chain_count() + of_time) <=
         budget.memory_left() / kPartOfMemory;
}

Saturation Saturator::ended(Saturation::End end) {
  result_.end = end;
  result_.justified = clocks_.edges_taken();
  return std::move(result_);
}

Saturation Saturator::look_at(std::span<const KeyId> keys, std::span<const std::uint32_t> order) {
  std::vector<KeyId> fresh;
  for (const KeyId key : keys)
    if (!named_[key.index()]) {
      named_[key.index()] = true;
      fresh.push_back(key);
    }
  for (bool first = true;; first = false) {
    const bool has_order = clocks_.take(known_.edges, budget_);
    if (budget_.is_spent()) return ended(Saturation::End::Stopped);
    if (!has_order) {
      result_.cycle = find_cycle(Digraph(known_.nodes, known_.edges));
      return ended(Saturation::End::Cycle);
    }
    if (first) clocks_.follow(order);
    ++rounds_;
    const std::size_t before = known_.edges.size();
    if (!(first ? look_at_keys(fresh) && look_at_late_reads() : look_at_changed())) return ended(result_.end);
    if (known_.edges.size() == before) return ended(Saturation::End::Fixpoint);
  }
}

bool Saturator::go_on() {
  if (!budget_.is_spent()) return true;
  result_.end = Saturation::End::Stopped;
  return false;
}

// Key by key: the clocks of a key's writers are asked about for each of its reads.
bool Saturator::look_at_keys(std::span<const KeyId> keys) {
  budget_.begin_stage("deriving what follows, key by key", keys.size());
  for (const KeyId& key : keys) {
    budget_.set_done(static_cast<std::size_t>(&key - keys.data()));
    if (!go_on()) return false;
    writers_.prepare(key);
    in_order_.clear();
    for (const ChainWriters::Writer& writer : writers_.of(key))
      in_order_.push_back(
          {clocks_.place(points_.commit(writers_.txn(writer))), writer.version, writers_.txn(writer)});
    std::ranges::sort(in_order_, {}, &InOrder::place);
    if (!look_at_readers(key, facts_.initial_version(key), TxnId::none())) return false;
    TxnId last;
    for (std::size_t i = 0; i < in_order_.size(); ++i) {
      fetch_for(i);
      const auto& [place, version, writer] = in_order_[i];
      if (!look_at_readers(key, version, writer)) return false;
      if (!last.is_none() && clocks_.reaches(points_.commit(last), points_.commit(writer)))
        earlier_[version.index()] = last;
      last = writer;
      look_at_write(key, version, writer);
    }
    for (const std::uint32_t read : versions_.open_of(key))
      if (!look_at_open_read(read)) return false;
  }
  return true;
}

// What is stored by version lies all over memory, and so do the clocks: it is fetched while other versions
// are looked at.
void Saturator::fetch_for(std::size_t i) const {
  constexpr std::size_t kAhead = 6;
  if (i + 3 * kAhead < in_order_.size()) {
    const VersionId version = in_order_[i + 3 * kAhead].version;
    __builtin_prefetch(&versions_.version_begin[version.index()]);
    __builtin_prefetch(&earlier_[version.index()]);
  }
  if (i + 2 * kAhead < in_order_.size()) {
    const auto& [place, version, writer] = in_order_[i + 2 * kAhead];
    __builtin_prefetch(versions_.readers_of(version).data());
    clocks_.fetch(points_.commit(writer));
  }
  if (i + kAhead < in_order_.size())
    for (const TxnId reader : versions_.readers_of(in_order_[i + kAhead].version))
      clocks_.fetch(points_.snapshot(reader));
}

void Saturator::decide_conditional_writes() {
  std::vector<const ConditionalWrite*> in_order;
  for (const ConditionalWrite& write : facts_.conditional) in_order.push_back(&write);
  std::ranges::stable_sort(in_order, {}, [&](const ConditionalWrite* write) {
    return clocks_.place(points_.snapshot(write->writer));
  });
  for (const ConditionalWrite* write : in_order) decide(*write);
}

void Saturator::take(const MovedReads& moved) {
  std::vector<Exclusion> excluded(facts_.candidates.size());
  for (std::size_t i = 0; i < known_.excluded.size(); ++i)
    if (moved.candidates[i] != MovedReads::kGone) excluded[moved.candidates[i]] = known_.excluded[i];
  std::vector<std::uint32_t> settled(facts_.open.size(), KnownGraph::kOpen);
  for (std::size_t i = 0; i < known_.settled.size(); ++i)
    if (known_.settled[i] != KnownGraph::kOpen) settled[moved.open[i]] = moved.candidates[known_.settled[i]];
  known_.excluded = std::move(excluded);
  known_.settled = std::move(settled);
  first_settled_.assign(facts_.writes.size() + h_.key_count(), kNone);
  next_settled_.assign(facts_.open.size(), kNone);
  for (std::uint32_t i = 0; i < known_.settled.size(); ++i)
    if (known_.settled[i] != KnownGraph::kOpen)
      next_settled_[i] = std::exchange(first_settled_[facts_.candidates[known_.settled[i]].index()], i);
  late_reads_ = moved.changed;
}

std::vector<VersionId> Saturator::possible_versions(KeyId key, TxnId reader) {
  find_seen(key, TxnId::none(), reader);
  std::vector<VersionId> possible;
  if (candidates_.empty()) possible.push_back(facts_.initial_version(key));
  const auto writers = writers_.of(key);
  for (auto begin = writers.begin(); begin != writers.end();) {
    const std::uint32_t chain = begin->chain;
    const auto end = std::partition_point(begin, writers.end(),
                                          [&](const ChainWriters::Writer& w) { return w.chain == chain; });
    std::uint32_t settled = 0;  // of the chain, those before this one precede what the reader has seen
    for (const Candidate& seen : candidates_)
      settled = std::max(settled, commits(clocks_.row(points_.commit(seen.txn))[chain]));
    begin =
        std::partition_point(begin, end, [&](const ChainWriters::Writer& w) { return w.position < settled; });
    for (; begin != end && !clocks_.reaches(points_.snapshot(reader), points_.commit(writers_.txn(*begin)));
         ++begin)
      if (writers_.txn(*begin) != reader) possible.push_back(begin->version);
    begin = end;
  }
  return possible;
}

bool Saturator::look_at_late_reads() {
  for (const std::uint32_t read : std::exchange(late_reads_, {}))
    if (!look_at_open_read(read)) return false;
  return true;
}

bool Saturator::look_at_readers(KeyId key, VersionId version, TxnId writer) {
  const auto readers = versions_.readers_of(version);
  for (std::size_t i = 0; i < readers.size(); ++i)
    if (!look_at_read(key, writer, readers[i], [&] { return versions_.reads_of(version)[i]; })) return false;
  return true;
}

// Of a changed point only what concerns the transactions that reach it now and did not before.
bool Saturator::look_at_changed() {
  const auto changed = clocks_.changed();
  budget_.begin_stage("deriving what follows from that", changed.size());
  for (const std::uint32_t& node : changed) {
    budget_.set_done(static_cast<std::size_t>(&node - changed.data()));
    if (!go_on()) return false;
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
    const auto open =
        node == points_.snapshot(t) && !facts_.open.empty() ? facts_.open_of(t) : std::span<const OpenRead>();
    for (const OpenRead& read : open) mark(read.key);
    if (node == points_.commit(t))
      for (const KeyId key : facts_.written_by(t)) mark(key);
    if (keys == 0) continue;
    const std::uint32_t wanted = has_many_news(node, keys) ? mark_ : mark_ + 1;
    if (wanted > mark_) mark_news(node);
    if (node == points_.snapshot(t))
      for (const ReadFact& read : facts_.of(t))
        if (marks_[read.key.index()] == wanted &&
            !look_at_read(read.key, read.writer, t, [&] { return facts_.place(read); }))
          return false;
    for (const OpenRead& read : open)
      if (marks_[read.key.index()] == wanted && !look_at_open_read(facts_.place(read))) return false;
    if (node == points_.commit(t))
      for (const VersionId version : facts_.versions_by(t))
        if (const KeyId key = facts_.writes[version.index()]; marks_[key.index()] == wanted)
          look_at_write(key, version, t);
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

// Most is known already, so the cause is asked for only if it is not.
template <class FindCause>
void Saturator::imply(std::uint32_t from, std::uint32_t to, FindCause find_cause) {
  if (!clocks_.reaches(from, to)) known_.add(from, to, find_cause());
}

// The writers that reach the reader, but those that are known to come before `writer`.
void Saturator::find_seen(KeyId key, TxnId writer, TxnId reader) {
  candidates_.clear();
  const std::uint32_t* row = clocks_.row(points_.snapshot(reader));
  const std::uint32_t* settled = writer.is_none() ? nothing_.data() : clocks_.row(put_before(writer));
  writers_.last_between(
      key, writers_.all_chains(), [&](std::uint32_t chain) { return commits(settled[chain]); },
      [&](std::uint32_t chain) { return commits(row[chain]); }, writer,
      [&](const ChainWriters::Writer& seen) {
        candidates_.push_back({writers_.txn(seen), seen.version});
      });
}

// False: it read the initial version, and a newer one reaches it. `find_read`: its place among the facts,
// which is seldom asked for.
template <class FindRead>
bool Saturator::look_at_read(KeyId key, TxnId writer, TxnId reader, FindRead find_read) {
  find_seen(key, writer, reader);
  if (candidates_.empty()) return true;
  if (!writer.is_none()) {
    put_after_missed(writer, [&] { return facts_.reads[find_read()].op; });
    return true;
  }
  result_.end = Saturation::End::Stale;
  result_.read = find_read();
  result_.overwriting = last_candidate();
  return false;
}

template <class FindOp>
void Saturator::put_after_missed(TxnId writer, FindOp find_op) {
  if (candidates_.empty()) return;
  const TxnId last = last_candidate();
  for (const Candidate& missed : candidates_)
    if (is_needed(missed.txn, last))
      imply(points_.commit(missed.txn), put_before(writer), [&] {
        return EdgeCause{Kind::Missed, find_op()};
      });
}

// False: no possible writer is left.
bool Saturator::look_at_open_read(std::uint32_t place) {
  const OpenRead& read = facts_.open[place];
  if (!facts_.counts[read.reader.index()]) return true;
  const std::uint32_t left = exclude_writers(place);
  if (left == 0) {
    result_.end = Saturation::End::NoWriter;
    result_.read = place;
    return false;
  }
  if (left > 1) return true;
  std::uint32_t candidate = read.first;
  while (known_.is_excluded(candidate)) ++candidate;
  const TxnId writer = facts_.writer(facts_.candidates[candidate]);
  if (!writer.is_none() && !facts_.counts[writer.index()]) return true;  // the order at hand does not have it
  if (facts_.is_conditional(facts_.candidates[candidate]))
    return true;  // whether it was written is for the search to say
  if (known_.settled[place] == KnownGraph::kOpen) settle(place, candidate);
  if (writer.is_none()) return true;
  find_seen(read.key, writer, read.reader);
  put_after_missed(writer, [&] { return read.op; });
  return true;
}

void Saturator::decide(const ConditionalWrite& write) {
  KnownGraph::Decided& decided = known_.decided[facts_.place(write)];
  if (decided != KnownGraph::Decided::Open) return;
  const OpenRead& read = facts_.open[write.read];
  bool some_match = false, some_do_not = false;
  for (std::uint32_t i = read.first; i < read.last; ++i) {
    if (known_.is_excluded(i)) continue;
    const VersionId met = facts_.candidates[i];
    if (facts_.is_conditional(met) &&
        known_.decided[facts_.conditional_place(met)] == KnownGraph::Decided::Left)
      continue;
    (facts_.takes_place(h_, write, met) ? some_match : some_do_not) = true;
    if (some_match && some_do_not) return;
  }
  if (some_match != some_do_not) decided = some_match ? KnownGraph::Decided::Took : KnownGraph::Decided::Left;
}

// How many possible writers are left.
std::uint32_t Saturator::exclude_writers(std::uint32_t place) {
  const OpenRead& read = facts_.open[place];
  find_seen(read.key, TxnId::none(), read.reader);
  std::uint32_t left = 0;
  for (std::uint32_t i = read.first; i < read.last; ++i) {
    if (known_.is_excluded(i)) continue;
    const TxnId writer = facts_.writer(facts_.candidates[i]);
    const auto lies_between = [&](const Candidate& seen) {
      return writer.is_none() ||
             (seen.txn != writer && clocks_.reaches(points_.commit(writer), points_.commit(seen.txn)));
    };
    const auto between = std::ranges::find_if(candidates_, lies_between);
    if (between != candidates_.end()) known_.excluded[i] = {clocks_.edges_taken(), between->txn};
    else if (!writer.is_none() && clocks_.reaches(points_.snapshot(read.reader), points_.commit(writer)))
      known_.excluded[i] = {clocks_.edges_taken(), TxnId::none()};
    else ++left;
  }
  return left;
}

// The read is from this candidate: those who are known to have overwritten it come after the reader.
void Saturator::settle(std::uint32_t place, std::uint32_t candidate) {
  const OpenRead& read = facts_.open[place];
  const VersionId version = facts_.candidates[candidate];
  known_.settled[place] = candidate;
  next_settled_[place] = std::exchange(first_settled_[version.index()], place);
  const TxnId writer = facts_.writer(version);
  if (!writer.is_none())
    imply(points_.commit(writer), points_.snapshot(read.reader), [&] {
      return EdgeCause{Kind::Reads, read.op};
    });
  if (!rules_.total) return;
  TxnId first;  // of them; one that it reaches needs no more
  for (const VersionId other : versions_.of(read.key)) {
    const TxnId later = facts_.writer(other);
    if (later == writer ||
        (!writer.is_none() && !clocks_.reaches(points_.commit(writer), points_.commit(later))))
      continue;
    if (!first.is_none() && clocks_.reaches(points_.commit(first), points_.commit(later))) continue;
    put_after_reader(read.reader, later, [&] { return read.op; });
    first = later;
  }
}

// The point of a writer before which others commit whose versions its readers missed.
std::uint32_t Saturator::put_before(TxnId writer) const {
  return rules_.exclusive ? points_.snapshot(writer) : points_.commit(writer);
}

void Saturator::look_at_write(KeyId key, VersionId version, TxnId writer) {
  candidates_.clear();
  const TxnId known = earlier_[version.index()];
  const std::uint32_t* row = clocks_.row(points_.commit(writer));
  const std::uint32_t round_up = rules_.exclusive ? two_ : 0;  // an exclusive writer's snapshot is enough
  const std::uint32_t* settled = known.is_none() ? nothing_.data() : clocks_.row(points_.commit(known));
  writers_.last_between(
      key, writers_.all_chains(), [&](std::uint32_t chain) { return commits(settled[chain]); },
      [&](std::uint32_t chain) { return (row[chain] + round_up) >> two_; }, writer,
      [&](const ChainWriters::Writer& earlier) {
        candidates_.push_back({writers_.txn(earlier), earlier.version});
      });
  if (candidates_.empty()) put_after_readers(facts_.initial_version(key), writer);
  else put_after_versions(version, writer);
}

void Saturator::put_after_versions(VersionId version, TxnId writer) {
  const TxnId last = earlier_[version.index()] = last_candidate();
  for (const Candidate& earlier : candidates_) {
    if (!is_needed(earlier.txn, last)) continue;
    if (rules_.exclusive)
      imply(points_.commit(earlier.txn), points_.snapshot(writer), [] { return EdgeCause{Kind::Exclusive}; });
    put_after_readers(earlier.version, writer);
  }
}

void Saturator::put_after_readers(VersionId version, TxnId writer) {
  const auto readers = versions_.readers_of(version);
  for (std::size_t i = 0; i < readers.size(); ++i) {
    if (!rules_.total && !facts_.writes_key(readers[i], facts_.key(version))) continue;
    put_after_reader(readers[i], writer, [&] { return facts_.reads[versions_.reads_of(version)[i]].op; });
  }
  if (!rules_.total || first_settled_.empty()) return;
  for (std::uint32_t i = first_settled_[version.index()]; i != kNone; i = next_settled_[i])
    put_after_reader(facts_.open[i].reader, writer, [&] { return facts_.open[i].op; });
}

template <class FindOp>
void Saturator::put_after_reader(TxnId reader, TxnId writer, FindOp find_op) {
  if (reader != writer)
    imply(points_.snapshot(reader), points_.commit(writer), [&] {
      return EdgeCause{Kind::Overwritten, find_op()};
    });
}

TxnId Saturator::last_candidate() const {
  return std::ranges::max_element(candidates_, {},
                                  [&](const Candidate& c) { return clocks_.place(points_.commit(c.txn)); })
      ->txn;
}

// What follows for a candidate that precedes another one follows from that one.
bool Saturator::is_needed(TxnId candidate, TxnId last) const {
  return candidate == last || !clocks_.reaches(points_.commit(candidate), points_.commit(last));
}

}  // namespace assay
