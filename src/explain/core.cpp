#include "explain/core.h"

#include <algorithm>
#include <set>

#include "verdict/operation_place.h"

namespace assay {
namespace {

using LineKind = Rule;

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

}  // namespace assay
