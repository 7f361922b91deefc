#include "dependency/points.h"

namespace assay {

KnownGraph known_graph(const History& history, const ReadFacts& facts, const PointRules& rules) {
  using Kind = EdgeCause::Kind;
  const Points points(history.transaction_count(), rules.two_points);
  KnownGraph known;
  if (rules.two_points)
    for (const TxnId t : history.transactions())
      if (facts.counts[t.index()]) known.add(points.snapshot(t), points.commit(t), {Kind::Own});
  if (rules.session_order) {
    for (const SessionId s : history.sessions()) {
      TxnId last;  // an unknown transaction follows its session but precedes nothing in it
      for (const TxnId t : history.transactions(s)) {
        if (!facts.counts[t.index()]) continue;
        if (!last.is_none()) known.add(points.commit(last), points.snapshot(t), {Kind::Session});
        if (history.outcome(t) == Outcome::Committed) last = t;
      }
    }
  }
  for (const ReadFact& read : facts.reads)
    if (!read.writer.is_none())
      known.add(points.commit(read.writer), points.snapshot(read.reader), {Kind::Reads, read.op});
  return known;
}

}  // namespace assay
