#include "check/other_level.h"

#include <algorithm>
#include <map>

#include "verdict/operation_place.h"

namespace assay {
namespace {

// Replaces each external read by the first one of its key in the transaction, which returned the same
// version. At levels with repeatable reads only that one is a fact. `Observed` lines keep their read, because
// a later list read also shows the transaction's own elements.
void name_first_reads(Proof& proof, const ReadFacts& at_rc, const ReadFacts& facts) {
  for (ProofLine& line : proof) {
    if (line.op.is_none() || line.kind == Rule::Observed) continue;
    const auto read = std::ranges::lower_bound(at_rc.reads, line.op, {}, &ReadFact::op);
    if (read == at_rc.reads.end() || read->op != line.op) continue;
    for (const ReadFact& first : facts.of(read->reader))
      if (first.key == read->key) line.op = first.op;
  }
}

// Extends the writers of the first reads to all external reads of the same key in the same transaction, which
// returned the same version.
std::vector<Source> of_every_read(const HistoryFacts& facts, const std::vector<Source>& of_first_reads) {
  const History& h = facts.history();
  std::map<std::pair<TxnId, KeyId>, TxnId> writer;
  for (const Source& source : of_first_reads)
    writer[{transaction_of(h, source.read), h.key(source.read)}] = source.writer;
  std::vector<Source> all;
  for (const OpenRead& read : facts.each_read()->open) {
    if (h.is_list(read.key)) continue;
    if (const auto found = writer.find({read.reader, read.key}); found != writer.end()) {
      all.push_back({read.op, found->second});
    } else if (const auto known = facts.repeatable()->of(read.reader); !known.empty()) {
      const auto first = std::ranges::find(known, read.key, &ReadFact::key);
      if (first != known.end()) all.push_back({read.op, first->writer});
    }
  }
  return all;
}

// The writers of open reads in an execution with a total order.
std::vector<Source> seen_in(const Order& order, const History& h, const ReadFacts& facts) {
  const bool two = std::ranges::any_of(order, [](const Point& p) { return !p.commit; });
  std::vector<TxnId> current(h.key_count());
  std::vector<Source> seen;
  for (const Point& point : order) {
    if (!two || !point.commit)
      for (const OpenRead& read : facts.open_of(point.txn))
        if (!h.is_list(read.key)) seen.push_back({read.op, current[read.key.index()]});
    if (point.commit)
      for (const KeyId key : facts.written_by(point.txn)) current[key.index()] = point.txn;
  }
  return seen;
}

}  // namespace

Order with_points(const Order& order, bool two_points) {
  const bool has_two = std::ranges::any_of(order, [](const Point& p) { return !p.commit; });
  if (has_two == two_points) return order;
  Order result;
  for (const Point& p : order) {
    if (!p.commit) continue;
    if (two_points) result.push_back({p.txn, false});
    result.push_back(p);
  }
  return result;
}

Holds holds_at(Level level, const HistoryFacts& known, Holds execution, bool is_total) {
  const ReadFacts& facts =
      !reads_repeat(level) && known.each_read() ? *known.each_read() : *known.repeatable();
  const bool needs_writers = !has_total_order(level);
  if (needs_writers && is_total && execution.from.empty() && !facts.open.empty())
    execution.from = seen_in(execution.order, known.history(), facts);
  else if (!reads_repeat(level) && known.repeatable() && known.each_read())
    execution.from = of_every_read(known, execution.from);
  if (!needs_writers) execution.from.clear();
  execution.order = with_points(execution.order, has_two_points(level));
  return execution;
}

std::optional<Proof> proof_at(Level level, const HistoryFacts& known, Level of, const Proof& proof) {
  const auto& facts = reads_repeat(level) ? known.repeatable() : known.each_read();
  if (!facts || !facts->wrong.empty()) return std::nullopt;  // judging is quicker
  // A proof with open reads distinguishes cases by their writers, and the possible writers depend on the
  // level.
  if (!facts->open.empty()) return std::nullopt;
  // A proof at a level without repeatable reads may use a read that repeatable reads merge away.
  const bool repeat_only_here = reads_repeat(level) && !reads_repeat(of);
  if (facts->has_sets && repeat_only_here) return std::nullopt;
  Proof adapted = proof;
  if (repeat_only_here) name_first_reads(adapted, *known.each_read(), *facts);
  return adapt(adapted, proof_builder(known.history(), level, *facts));
}

Violated unnamed(Proof proof) {
  const bool sessions = uses_session_order(proof), real_time = uses_real_time(proof);
  return {std::nullopt, sessions, std::move(proof), real_time};
}

}  // namespace assay
