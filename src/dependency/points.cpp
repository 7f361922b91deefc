#include "dependency/points.h"

#include <utility>

#include "dependency/time_edges.h"

namespace assay {
namespace {

OpId first_write(const History& h, TxnId t, KeyId key) {
  for (const OpId op : h.operations(t))
    if (is_item_write(h.kind(op)) && h.key(op) == key) return op;
  return OpId::none();
}

void add_observed(const History& history, const ReadFacts& facts, const PointRules& rules,
                  const Points& points, KnownGraph& known) {
  if (facts.observed.empty()) return;
  std::vector<const VersionOrder*> next(facts.writes.size() + history.key_count());
  for (const VersionOrder& order : facts.observed) {
    if (order.adjacent) next[order.before.index()] = &order;
    const TxnId first = facts.writer(order.before), second = facts.writer(order.after);
    if (first.is_none()) continue;
    if (rules.exclusive) {
      const OpId write = first_write(history, first, facts.key(order.before));
      known.add(points.commit(first), points.snapshot(second), {Rule::Exclusive, write, order.read});
    } else {
      known.add(points.commit(first), points.commit(second), {Rule::Observed, order.read});
    }
  }
  if (!rules.total) return;
  for (const ReadFact& read : facts.reads)
    if (const VersionOrder* order = next[read.version.index()];
        order && facts.writer(order->after) != read.reader)
      known.add(points.snapshot(read.reader), points.commit(facts.writer(order->after)),
                {Rule::Overwritten, read.op, order->read});
}

// Adds one edge for all reads of a transaction from the same writer.
void add_every_read(const History& history, const ReadFacts& facts, const Points& points, KnownGraph& known) {
  std::vector<TxnId> last_reader(history.transaction_count());  // by writer
  for (const ReadFact& read : facts.reads)
    if (!read.writer.is_none() && std::exchange(last_reader[read.writer.index()], read.reader) != read.reader)
      known.add(points.commit(read.writer), points.snapshot(read.reader), {Rule::Reads, read.op});
}

// Of the writers in one session that a reader has read from, adds an edge only from the last, which the
// others precede. Writers before the reader in its own session need no edge. A transaction of unknown outcome
// precedes nothing in its session, so its edge is always added.
void add_last_reads(const History& history, const ReadFacts& facts, const Points& points, KnownGraph& known) {
  std::vector<std::size_t> edge_from(history.session_count(), SIZE_MAX);  // by session: its last edge
  for (const ReadFact& read : facts.reads) {
    if (read.writer.is_none()) continue;
    const Edge edge{points.commit(read.writer), points.snapshot(read.reader)};
    const EdgeCause cause{Rule::Reads, read.op};
    const SessionId session = history.session(read.writer);
    if (history.outcome(read.writer) != Outcome::Committed) {
      known.add(edge.from, edge.to, cause);
    } else if (std::size_t& last = edge_from[session.index()];
               last == SIZE_MAX || known.edges[last].to != edge.to) {
      if (session == history.session(read.reader) &&
          history.position(read.writer) < history.position(read.reader))
        continue;
      last = known.edges.size();
      known.add(edge.from, edge.to, cause);
    } else if (history.position(points.txn(known.edges[last].from)) < history.position(read.writer)) {
      known.edges[last] = edge;
      known.causes[last] = cause;
    }
  }
}

}  // namespace

KnownGraph known_graph(const History& history, const ReadFacts& facts, const PointRules& rules,
                       bool every_read) {
  const Points points(history.transaction_count(), rules.two_points);
  KnownGraph known;
  if (rules.two_points)
    for (const TxnId t : history.transactions())
      if (facts.counts[t.index()] || facts.may_count_only(t))
        known.add(points.snapshot(t), points.commit(t), {Rule::Own});
  if (rules.session_order) {
    for (const SessionId s : history.sessions()) {
      TxnId last;  // an unknown transaction follows its session but precedes nothing in it
      for (const TxnId t : history.transactions(s)) {
        if (!facts.counts[t.index()] && !facts.may_count_only(t)) continue;
        if (!last.is_none()) known.add(points.commit(last), points.snapshot(t), {Rule::Session});
        if (history.outcome(t) == Outcome::Committed) last = t;
      }
    }
  }
  if (rules.session_order && !every_read) add_last_reads(history, facts, points, known);
  else add_every_read(history, facts, points, known);
  add_observed(history, facts, rules, points, known);
  known.nodes = points.node_count();
  known.timed = known.edges.size();
  add_real_time(history, facts, rules, known);
  for (const auto& [reader, order] : facts.possibly_observed)
    if (!facts.is_initial(order.before))
      known.if_counts.push_back(
          {reader,
           {points.commit(facts.writer(order.before)), points.commit(facts.writer(order.after))},
           {Rule::Observed, order.read}});
  std::ranges::stable_sort(known.if_counts, {}, &PossibleEdge::txn);
  return known;
}

}  // namespace assay
