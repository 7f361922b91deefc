#include "saturation/commit_order.h"

namespace assay {
namespace {

// A transaction of unknown outcome follows its session but precedes nothing in it.
void add_session_order(const History& history, const ReadFacts& facts, CommitOrder& order) {
  for (const SessionId s : history.sessions()) {
    TxnId last;
    for (const TxnId t : history.transactions(s)) {
      if (!facts.counts[t.index()]) continue;
      if (!last.is_none()) order.add({Rule::Session, last, t});
      if (history.outcome(t) == Outcome::Committed) last = t;
    }
  }
}

}  // namespace

CommitOrder::CommitOrder(const History& history, const ReadFacts& facts, bool session_order) {
  if (session_order) add_session_order(history, facts, *this);
  for (const ReadFact& read : facts.reads)
    if (!read.writer.is_none()) add({Rule::Reads, read.writer, read.reader, read.op});
  known = edges.size();
  for (const VersionOrder& order : facts.observed)
    if (!facts.is_initial(order.before))
      add({Rule::Observed, facts.writer(order.before), facts.writer(order.after), order.read});
}

}  // namespace assay
