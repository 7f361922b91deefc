#include "saturation/saturate.h"

#include <utility>

namespace assay {
namespace {

// The clocks may use this part of the remaining memory. The rest is for derived edges, the search, and other
// programs.
constexpr std::size_t kPartOfMemory = 3;

}  // namespace

Saturator::Saturator(const History& history, const ReadFacts& facts, const VersionIndex& versions,
                     const PointRules& rules, KnownGraph& known, TxnChains chains, Budget& budget)
    : s_(history, facts, versions, rules, known,
         cut(std::move(chains.cover), RuleState::longest_chain(rules))),
      open_(s_),
      keys_(s_),
      rules_(s_, open_),
      budget_(budget) {
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
    if (!(first ? look_at_keys(fresh) && look_at_late_reads() : look_at_changed())) {
      if (const auto& stale = rules_.stale()) {
        result_.end = Saturation::End::Stale;
        result_.read = stale->read;
        result_.overwriting = stale->overwriting;
      }
      return ended(result_.end);
    }
    if (s_.known.edges.size() == before) return ended(Saturation::End::Fixpoint);
  }
}

bool Saturator::go_on() {
  if (!budget_.is_spent()) return true;
  result_.end = Saturation::End::Stopped;
  return false;
}

// Goes key by key, because the clocks of a key's writers are queried for each of its reads.
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
    if (!rules_.look_at_readers(key, s_.facts.initial_version(key), TxnId::none())) return false;
    TxnId last;
    for (std::size_t i = 0; i < in_order_.size(); ++i) {
      fetch_for(i);
      const auto& [place, version, writer] = in_order_[i];
      if (!rules_.look_at_readers(key, version, writer)) return false;
      if (!last.is_none() && s_.commits_before(last, writer)) rules_.know_earlier(version, last);
      last = writer;
      rules_.look_at_write(key, version, writer);
    }
    for (const std::uint32_t read : s_.versions.open_of(key))
      if (!look_at_open_read(read)) return false;
  }
  return true;
}

// Data by version, and clocks, are scattered over memory, so they are prefetched while other versions are
// examined.
void Saturator::fetch_for(std::size_t i) const {
  constexpr std::size_t kAhead = 6;
  if (i + 3 * kAhead < in_order_.size()) {
    const VersionId version = in_order_[i + 3 * kAhead].version;
    __builtin_prefetch(&s_.versions.version_begin[version.index()]);
    rules_.fetch(version);
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

// At a changed point, examines only keys of transactions that reach it now and did not before.
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
      if (keys_.contains(read.key) && !rules_.look_at_read(read)) return false;
    if (!s_.facts.open.empty())
      for (const OpenRead& read : s_.facts.open_of(t))
        if (keys_.contains(read.key) && !look_at_open_read(s_.facts.place(read))) return false;
  }
  if (node == s_.points.commit(t))
    for (const VersionId version : s_.facts.versions_by(t))
      if (const KeyId key = s_.facts.writes[version.index()]; keys_.contains(key))
        rules_.look_at_write(key, version, t);
  return true;
}

bool Saturator::look_at_open_read(std::uint32_t read) {
  if (open_.look_at(read)) return true;
  result_.end = Saturation::End::NoWriter;
  result_.read = read;
  return false;
}

}  // namespace assay
