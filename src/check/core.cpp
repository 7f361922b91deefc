#include "check/core.h"

#include <algorithm>
#include <set>

#include "check/check.h"
#include "history/edit.h"

namespace assay {
namespace {

using Kind = ProofLine::Kind;

bool holds(const History& core, Level level) {
  const auto verdict = Checker(core, {.name_anomalies = false}).judge(level);
  return verdict && std::holds_alternative<Holds>(*verdict);
}

// Two transactions that read one version of a key and both overwrite it.
bool has_lost_update(const History& h) {
  const auto facts = read_facts(h, true);
  if (!facts) return false;
  std::set<VersionId> updated;
  for (const ReadFact& read : facts->reads)
    if (facts->writes_key(read.reader, read.key) && !updated.insert(read.version).second) return true;
  return false;
}

bool has_stale_initial_read(const Proof& proof) {
  return std::ranges::any_of(proof, [](const ProofLine& line) { return line.kind == Kind::Stale; });
}

// Serializable once the transactions that write nothing are left out.
bool is_read_only_anomaly(const History& h) {
  const auto writes = [&](TxnId t) {
    for (const OpId op : h.operations(t))
      if (is_item_write(h.kind(op))) return true;
    return false;
  };
  const History writers = restrict(h, writes, [](OpId) { return true; });
  return writers.transaction_count() < h.transaction_count() && holds(writers, Level::Ser);
}

}  // namespace

History core(const History& history, const ReadFacts& facts, const Proof& proof, bool sessions) {
  std::set<TxnId> transactions;
  std::set<KeyId> keys;
  std::set<OpId> reads;
  const auto add = [&](TxnId t) {
    if (!t.is_none()) transactions.insert(t);
  };
  for (const ProofLine& line : proof) {
    add(line.a);
    add(line.b);
    if (line.kind == Kind::Suppose)
      for (const KeyId key : facts.written_by(line.a))
        if (facts.writes_key(line.b, key)) keys.insert(key);
    if (line.op.is_none()) continue;
    keys.insert(history.key(line.op));
    if (line.kind == Kind::Exclusive) continue;
    reads.insert(line.op);
    const auto read = std::ranges::lower_bound(facts.reads, line.op, {}, &ReadFact::op);
    if (read == facts.reads.end() || read->op != line.op) continue;
    add(read->reader);
    add(read->writer);
  }
  const auto keep = [&](OpId op) { return reads.contains(op) || (is_item_write(history.kind(op)) && keys.contains(history.key(op))); };
  History kept = restrict(history, [&](TxnId t) { return transactions.contains(t); }, keep);
  return sessions ? std::move(kept) : without_sessions(kept);
}

Anomaly name_anomaly(const History& history, const ReadFacts& facts, const Proof& proof, bool sessions) {
  const History part = core(history, facts, proof, sessions);
  for (const Level weak : {Level::Rc, Level::Ra, Level::Cc}) {
    const auto verdict = Checker(part, {.name_anomalies = false}).judge(weak);
    if (const auto* fell = verdict ? std::get_if<Violated>(&*verdict) : nullptr) return fell->anomaly;
  }
  if (has_lost_update(part)) return Anomaly::LostUpdate;
  const bool pc = holds(part, Level::Pc), psi = holds(part, Level::Psi);
  if (!psi) return has_stale_initial_read(proof) ? Anomaly::StaleInitialRead : Anomaly::ReadSkew;
  if (!pc) return Anomaly::LongFork;
  if (!holds(part, Level::Si)) return Anomaly::GNonadjacent;
  return is_read_only_anomaly(part) ? Anomaly::ReadOnly : Anomaly::WriteSkew;
}

}  // namespace assay
