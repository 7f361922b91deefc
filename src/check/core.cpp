#include "check/core.h"

#include <algorithm>
#include <array>
#include <set>

#include "verdict/operation_place.h"

namespace assay {
namespace {

using LineKind = ProofLine::Kind;

bool holds(const History& core, Level level, const CheckOptions& how) {
  const auto verdict = Checker(core, how).judge(level);
  return verdict && std::holds_alternative<Holds>(*verdict);
}

// Whether each of the updates, of which the versions that it may have read are given, can have read another
// version.
bool can_differ(std::span<const std::vector<VersionId>> updates, std::set<VersionId>& taken) {
  if (updates.empty()) return true;
  for (const VersionId version : updates.front()) {
    if (!taken.insert(version).second) continue;
    if (can_differ(updates.subspan(1), taken)) return true;
    taken.erase(version);
  }
  return false;
}

// Two transactions that read one version of a key and both overwrite it, whomever their reads are from.
bool has_lost_update(const History& h) {
  constexpr std::size_t kMostUpdates = 8;  // a core with more open ones is not looked through
  const auto facts = read_facts(h, true);
  if (!facts) return false;
  std::vector<std::vector<VersionId>> updates;
  std::size_t open = 0;
  for (const ReadFact& read : facts->reads)
    if (facts->writes_key(read.reader, read.key)) updates.push_back({read.version});
  for (const OpenRead& read : facts->open) {
    if (!facts->counts[read.reader.index()] || !facts->writes_key(read.reader, read.key)) continue;
    const auto versions = facts->candidates_of(read);
    updates.emplace_back(versions.begin(), versions.end());
    if (++open > kMostUpdates) return false;
  }
  std::set<VersionId> taken;
  return !can_differ(updates, taken);
}

bool has_stale_initial_read(const Proof& proof) { return uses(proof, LineKind::Stale); }

// The one that shows the most of a list; none if there is no list read.
OpId longest_list(const History& h, TxnId t) {
  OpId longest;
  for (const OpId op : h.operations(t))
    if (h.kind(op) == OpKind::ListRead && (longest.is_none() || h.rows(op).size() > h.rows(longest).size()))
      longest = op;
  return longest;
}

// Two anti-dependencies and no version order: two readers, each missing what the other saw.
bool is_fork_of_two(const Proof& proof) {
  std::set<OpId> missing;
  for (const ProofLine& line : proof) {
    if (line.kind == LineKind::Observed) return false;
    if (line.kind == LineKind::Overwritten || line.kind == LineKind::Stale) missing.insert(line.op);
  }
  return missing.size() == 2;
}

// Serializable once the transactions that write nothing are left out; all but one list read of each, which by
// itself fits anywhere and only says in which order others wrote.
bool is_read_only_anomaly(const History& h, Level level, const CheckOptions& how) {
  for (const TxnId t : h.transactions())
    if (h.outcome(t) == Outcome::Unknown) return false;  // without those who saw it, it need not count
  std::set<OpId> kept;
  for (const TxnId t : h.transactions()) {
    const auto ops = h.operations(t);
    bool writes = false;
    for (const OpId op : ops) writes |= is_item_write(h.kind(op));
    for (const OpId op : ops)
      if (writes || op == longest_list(h, t)) kept.insert(op);
  }
  const auto keeps_any = [&](TxnId t) {
    const auto first = kept.lower_bound(h.operations(t).first);
    return first != kept.end() && *first < h.operations(t).last;
  };
  return kept.size() < h.operation_count() &&
         holds(restrict(h, keeps_any, [&](OpId op) { return kept.contains(op); }), level, how);
}

Anomaly name_of(const History& part, const Proof& proof, const CheckOptions& how) {
  for (const LevelRow& weak : levels()) {
    if (!is_weak(weak.level) || !weak.session_order()) continue;
    const auto verdict = Checker(part, how).judge(weak.level);
    if (const auto* fell = verdict ? std::get_if<Violated>(&*verdict) : nullptr) return fell->anomaly;
  }
  if (has_lost_update(part)) return Anomaly::LostUpdate;
  const bool pc = holds(part, Level::Pc, how), psi = holds(part, Level::Psi, how);
  if (!psi) return has_stale_initial_read(proof) ? Anomaly::StaleInitialRead : Anomaly::ReadSkew;
  if (!pc && is_fork_of_two(proof)) return Anomaly::LongFork;
  if (!pc || !holds(part, Level::Si, how)) return Anomaly::GNonadjacent;
  return is_read_only_anomaly(part, Level::Ser, how) ? Anomaly::ReadOnly : Anomaly::WriteSkew;
}

// No level without clocks is broken, so the name is that of the shape: by the reads of versions that were
// overwritten.
Anomaly name_in_real_time(const History& part, Level level, const Proof& proof, const CheckOptions& how) {
  std::set<OpId> overwritten;
  bool initial = true;
  for (const ProofLine& line : proof) {
    if (line.kind != LineKind::Overwritten && line.kind != LineKind::Stale && line.kind != LineKind::Missed)
      continue;
    overwritten.insert(line.op);
    initial &= line.kind == LineKind::Stale || (line.kind == LineKind::Overwritten && line.lines.empty());
  }
  if (overwritten.empty()) return uses(proof, LineKind::Reads) ? Anomaly::G1c : Anomaly::G0;
  if (overwritten.size() == 1) return initial ? Anomaly::StaleInitialRead : Anomaly::ReadSkew;
  if (has_two_points(level)) return is_fork_of_two(proof) ? Anomaly::LongFork : Anomaly::GNonadjacent;
  return is_read_only_anomaly(part, level, how) ? Anomaly::ReadOnly : Anomaly::WriteSkew;
}

// A reader missed a version that would have changed what its statement found, or whether there was a row at
// all.
bool goes_through_predicate(const History& h, const Proof& proof) {
  return std::ranges::any_of(proof, [&](const ProofLine& line) {
    const bool anti =
        line.kind == LineKind::Overwritten || line.kind == LineKind::Stale || line.kind == LineKind::Missed;
    return anti && h.kind(line.op) == OpKind::ReadOneOf;
  });
}

// Names for reads that came too early, or too late, say less than that it was a predicate that they went
// through.
Name with_predicates(const History& h, const Proof& proof, Name found) {
  using enum Anomaly;
  constexpr std::array less{NonMonotonicRead, FracturedRead, Causality, LongFork,        ReadSkew,
                            GNonadjacent,     WriteSkew,     ReadOnly,  StaleInitialRead};
  if (std::ranges::find(less, found.anomaly) != less.end() && goes_through_predicate(h, proof))
    found.anomaly = Phantom;
  return found;
}

class Core {
 public:
  Core(const History& history, const ReadFacts& facts) : h_(history), facts_(facts) {}

  void add(const ProofLine& line) {
    add(line.a);
    add(line.b);
    if (line.kind == LineKind::Suppose)
      for (const KeyId key : facts_.written_by(line.a))
        if (facts_.writes_key(line.b, key)) keys_.insert(key);
    if (line.kind == LineKind::Session) add_reads_along(line.a, line.b);
    if (line.op.is_none()) return;
    keys_.insert(h_.key(line.op));
    if (line.kind != LineKind::Exclusive) add(line.op);
  }

  // A transaction that overwrites what it read: a proof may do without that read, but a lost update cannot be
  // told without it.
  void add_updates() {
    const std::vector<TxnId> named(transactions_.begin(), transactions_.end());
    for (const TxnId t : named)
      for (const ReadFact& read : facts_.of(t))
        if (keys_.contains(read.key) && facts_.writes_key(t, read.key)) add(read.op);
  }

  // A transaction of unknown outcome counts only where a read says that it took effect.
  void add_witnesses() {
    std::vector<TxnId> open;
    for (const TxnId t : transactions_)
      if (h_.outcome(t) == Outcome::Unknown) open.push_back(t);
    if (open.empty()) return;
    const std::vector<std::size_t> distance = distances();
    while (!open.empty()) {
      const TxnId t = open.back();
      open.pop_back();
      const OpId witness = witness_of(t, distance);
      if (witness.is_none()) continue;
      const TxnId reader = transaction_of(h_, witness);
      if (h_.outcome(reader) == Outcome::Unknown && !transactions_.contains(reader)) open.push_back(reader);
      keys_.insert(h_.key(witness));
      add(witness);
    }
  }

  // A proof may go from transaction to transaction of a session; session order is the same without those in
  // between. Not so where clocks matter. A transaction that writes keeps a write: it is not a reader only.
  Selection selection(bool with_empty) const {
    Selection result;
    for (const TxnId t : transactions_) {
      const std::size_t before = result.operations.size();
      const auto needed = [&](OpId op) { return is_item_write(h_.kind(op)) && keys_.contains(h_.key(op)); };
      const auto ops = h_.operations(t);
      bool writes = std::ranges::any_of(ops, needed);
      const bool reads = std::ranges::any_of(ops, [&](OpId op) { return reads_.contains(op); });
      for (const OpId op : ops) {
        const bool first_write = reads && !writes && is_item_write(h_.kind(op));
        writes |= first_write;
        if (reads_.contains(op) || needed(op) || first_write) result.operations.push_back(op);
      }
      if (with_empty || result.operations.size() > before) result.transactions.push_back(t);
    }
    return result;
  }

 private:
  // Calls visit(read, whom it shows something of).
  template <class Visit>
  void each_sight(Visit visit) const {
    for (const ReadFact& read : facts_.reads)
      if (!read.writer.is_none()) visit(read.op, read.writer);
    for (const VersionOrder& order : facts_.observed) {
      if (const TxnId writer = facts_.writer(order.before); !writer.is_none()) visit(order.read, writer);
      if (order.adjacent) visit(order.read, facts_.writer(order.after));
    }
  }

  // By transaction, how many reads it takes until a committed one shows that it took effect.
  std::vector<std::size_t> distances() const {
    std::vector<std::size_t> distance(h_.transaction_count(), SIZE_MAX);
    for (const TxnId t : h_.transactions())
      if (h_.outcome(t) == Outcome::Committed) distance[t.index()] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      each_sight([&](OpId read, TxnId writer) {
        const std::size_t there = distance[transaction_of(h_, read).index()];
        if (there == SIZE_MAX || there + 1 >= distance[writer.index()]) return;
        distance[writer.index()] = there + 1;
        changed = true;
      });
    }
    return distance;
  }

  // A read that shows something of t, of a transaction that is nearer to a committed one; one that is there
  // already, if possible.
  OpId witness_of(TxnId t, const std::vector<std::size_t>& distance) const {
    OpId found;
    each_sight([&](OpId read, TxnId writer) {
      const TxnId reader = transaction_of(h_, read);
      if (writer != t || reader == t || distance[reader.index()] >= distance[t.index()]) return;
      if (found.is_none() || reads_.contains(read)) found = read;
    });
    return found;
  }

  void add(TxnId t) {
    if (!t.is_none()) transactions_.insert(t);
  }

  // Where the second reads from the first, session order is not needed.
  void add_reads_along(TxnId first, TxnId second) {
    for (const ReadFact& read : facts_.of(second))
      if (read.writer == first) {
        keys_.insert(read.key);
        add(read.op);
      }
  }

  void add(OpId read) {
    reads_.insert(read);
    const TxnId reader = transaction_of(h_, read);
    add(reader);
    for (const ReadFact& fact : facts_.of(reader))
      if (fact.op == read || (h_.kind(read) == OpKind::ListRead && fact.key == h_.key(read)))
        add(fact.writer);
    for (const OpenRead& open : facts_.open_of(reader))
      if (open.op == read)
        for (const VersionId v : facts_.candidates_of(open)) add(facts_.writer(v));
  }

  const History& h_;
  const ReadFacts& facts_;
  std::set<TxnId> transactions_;
  std::set<KeyId> keys_;
  std::set<OpId> reads_;
};

}  // namespace

Selection core(const History& history, const ReadFacts& facts, const Proof& proof) {
  Core core(history, facts);
  for (const ProofLine& line : proof) core.add(line);
  core.add_updates();
  core.add_witnesses();
  return core.selection(uses_real_time(proof));
}

// The core is judged by itself, since it may be proved by less: so a violation has the same name in every
// part that shows it. If it is one without clocks, clocks are not spoken of.
Name name_anomaly(const History& history, const ReadFacts& facts, Level level, const Proof& proof,
                  const CheckOptions& how) {
  History part = restrict(history, core(history, facts, proof));
  const bool in_time = uses_real_time(proof) && holds(part, without_real_time(level), how);
  const bool may_need_sessions = uses_session_order(proof) || (row(level).needs_instants() && !in_time);
  if (!in_time) level = without_real_time(level);
  const bool needs_sessions = may_need_sessions && holds(without_sessions(part), level, how);
  if (!needs_sessions) part = without_sessions(part);
  Checker checker(part, how);
  const auto again = checker.judge(level);
  const auto* fell = again ? std::get_if<Violated>(&*again) : nullptr;
  if (fell == nullptr || fell->proof.back().kind == LineKind::WrongRead)
    return with_predicates(history, proof, {name_of(part, proof, how), needs_sessions});
  if (checker.core(level, fell->proof).operations.size() < part.operation_count())
    return checker.name(level, fell->proof);
  if (in_time)
    return with_predicates(part, fell->proof,
                           {name_in_real_time(part, level, fell->proof, how), needs_sessions, true});
  return with_predicates(part, fell->proof, {name_of(part, fell->proof, how), needs_sessions});
}

Name name_of_level(Level level, const Proof& proof) {
  return {name_of_condition(level), uses_session_order(proof), uses_real_time(proof)};
}

}  // namespace assay
