#include "saturation/saturate.h"

#include <utility>

namespace assay {
namespace {

// Of the memory that is left; the rest is for what is derived, the search, and whoever else runs.
constexpr std::size_t kPartOfMemory = 3;

}  // namespace

Saturator::Saturator(const History& history, const ReadFacts& facts, const VersionIndex& versions,
                     const PointRules& rules, KnownGraph& known, TxnChains chains, Budget& budget)
    : s_(history, facts, versions, rules, known, std::move(chains)),
      open_(s_),
      keys_(s_),
      budget_(budget),
      earlier_(facts.writes.size()) {
  known.given = known.edges.size();
}

bool Saturator::fits(const TxnChains& chains, const KnownGraph& known, const Budget& budget) {
  const std::size_t of_time = known.clocks.empty() ? 0 : known.clocks.size() - 1;
  return Clocks::bytes(known.nodes, chains.cover.chain_count() + of_time) <=
         budget.memory_left() / kPartOfMemory;
}

Saturation Saturator::ended(Saturation::End end) {
  result_.end = end;
  result_.justified = s_.clocks.edges_taken();
  return std::move(result_);
}

Saturation Saturator::look_at(std::span<const KeyId> keys, std::span<const std::uint32_t> order) {
  std::vector<KeyId> fresh;
  for (const KeyId key : keys)
    if (keys_.name(key)) fresh.push_back(key);
  for (bool first = true;; first = false) {
    const bool has_order = s_.clocks.take(s_.known.edges, budget_);
    if (budget_.is_spent()) return ended(Saturation::End::Stopped);
    if (!has_order) {
      result_.cycle = find_cycle(Digraph(s_.known.nodes, s_.known.edges));
      return ended(Saturation::End::Cycle);
    }
    if (first) s_.clocks.follow(order);
    ++rounds_;
    const std::size_t before = s_.known.edges.size();
    if (!(first ? look_at_keys(fresh) && look_at_late_reads() : look_at_changed())) return ended(result_.end);
    if (s_.known.edges.size() == before) return ended(Saturation::End::Fixpoint);
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
    s_.writers.prepare(key);
    in_order_.clear();
    for (const ChainWriters::Writer& w : s_.writers.of(key)) {
      const TxnId writer = s_.writers.txn(w);
      in_order_.push_back({s_.clocks.place(s_.points.commit(writer)), w.version, writer});
    }
    std::ranges::sort(in_order_, {}, &InOrder::place);
    if (!look_at_readers(key, s_.facts.initial_version(key), TxnId::none())) return false;
    TxnId last;
    for (std::size_t i = 0; i < in_order_.size(); ++i) {
      fetch_for(i);
      const auto& [place, version, writer] = in_order_[i];
      if (!look_at_readers(key, version, writer)) return false;
      if (!last.is_none() && s_.commits_before(last, writer)) earlier_[version.index()] = last;
      last = writer;
      look_at_write(key, version, writer);
    }
    for (const std::uint32_t read : s_.versions.open_of(key))
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
    __builtin_prefetch(&s_.versions.version_begin[version.index()]);
    __builtin_prefetch(&earlier_[version.index()]);
  }
  if (i + 2 * kAhead < in_order_.size()) {
    const auto& [place, version, writer] = in_order_[i + 2 * kAhead];
    __builtin_prefetch(s_.versions.readers_of(version).data());
    s_.clocks.fetch(s_.points.commit(writer));
  }
  if (i + kAhead < in_order_.size())
    for (const TxnId reader : s_.versions.readers_of(in_order_[i + kAhead].version))
      s_.clocks.fetch(s_.points.snapshot(reader));
}

void Saturator::take(const MovedReads& moved) {
  open_.move(moved);
  late_reads_ = moved.changed;
}

bool Saturator::look_at_late_reads() {
  for (const std::uint32_t read : std::exchange(late_reads_, {}))
    if (!look_at_open_read(read)) return false;
  return true;
}

// Of a changed point only what concerns the transactions that reach it now and did not before.
bool Saturator::look_at_changed() {
  const auto changed = s_.clocks.changed();
  budget_.begin_stage("deriving what follows from that", changed.size());
  for (const std::uint32_t& node : changed) {
    budget_.set_done(static_cast<std::size_t>(&node - changed.data()));
    if (!go_on()) return false;
    if (s_.points.is_point(node) && keys_.find(node) && !look_at_point(node)) return false;
  }
  return true;
}

bool Saturator::look_at_point(std::uint32_t node) {
  const TxnId t = s_.points.txn(node);
  if (node == s_.points.snapshot(t)) {
    for (const ReadFact& read : s_.facts.of(t))
      if (keys_.contains(read.key) &&
          !look_at_read(read.key, read.writer, t, [&] { return s_.facts.place(read); }))
        return false;
    if (!s_.facts.open.empty())
      for (const OpenRead& read : s_.facts.open_of(t))
        if (keys_.contains(read.key) && !look_at_open_read(s_.facts.place(read))) return false;
  }
  if (node == s_.points.commit(t))
    for (const VersionId version : s_.facts.versions_by(t))
      if (const KeyId key = s_.facts.writes[version.index()]; keys_.contains(key))
        look_at_write(key, version, t);
  return true;
}

bool Saturator::look_at_readers(KeyId key, VersionId version, TxnId writer) {
  const auto readers = s_.versions.readers_of(version);
  for (std::size_t i = 0; i < readers.size(); ++i)
    if (!look_at_read(key, writer, readers[i], [&] { return s_.versions.reads_of(version)[i]; }))
      return false;
  return true;
}

// False: it read the initial version, and a newer one reaches it. `find_read`: its place among the facts,
// which is seldom asked for.
template <class FindRead>
bool Saturator::look_at_read(KeyId key, TxnId writer, TxnId reader, FindRead find_read) {
  s_.find_seen(key, writer, reader);
  if (s_.found.empty()) return true;
  if (!writer.is_none()) {
    s_.put_found_before(writer, [&] { return s_.facts.reads[find_read()].op; });
    return true;
  }
  result_.end = Saturation::End::Stale;
  result_.read = find_read();
  result_.overwriting = s_.last_found();
  return false;
}

bool Saturator::look_at_open_read(std::uint32_t read) {
  if (open_.look_at(read)) return true;
  result_.end = Saturation::End::NoWriter;
  result_.read = read;
  return false;
}

// Rules `exclusive` and `overwritten`.
void Saturator::look_at_write(KeyId key, VersionId version, TxnId writer) {
  s_.find_earlier(key, writer, earlier_[version.index()]);
  if (s_.found.empty()) return put_after_readers(s_.facts.initial_version(key), writer);
  const TxnId last = earlier_[version.index()] = s_.last_found();
  for (const RuleState::Writer& earlier : s_.found) {
    if (!s_.is_needed(earlier.txn, last)) continue;
    if (s_.rules.exclusive)
      s_.imply(s_.points.commit(earlier.txn), s_.points.snapshot(writer),
               [] { return EdgeCause{Rule::Exclusive}; });
    put_after_readers(earlier.version, writer);
  }
}

void Saturator::put_after_readers(VersionId version, TxnId writer) {
  const auto readers = s_.versions.readers_of(version);
  for (std::size_t i = 0; i < readers.size(); ++i) {
    if (!s_.rules.total && !s_.facts.writes_key(readers[i], s_.facts.key(version))) continue;
    s_.put_reader_before(readers[i], writer,
                         [&] { return s_.facts.reads[s_.versions.reads_of(version)[i]].op; });
  }
  if (!s_.rules.total) return;
  open_.each_settled(version, [&](const OpenRead& read) {
    s_.put_reader_before(read.reader, writer, [&] { return read.op; });
  });
}

}  // namespace assay
