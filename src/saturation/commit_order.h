// The commit order that a weak level asks for, as edges between transactions, each with its cause.
//
// The history gives the first edges: session order, reads, and the version order that lists show. Views
// (weak_views.h) add the rest. There is an order exactly when the edges form no cycle and no reader of an
// initial version has another writer of the key in its view.
#pragma once

#include <optional>
#include <vector>

#include "dependency/read_facts.h"
#include "graph/digraph.h"
#include "verdict/rule.h"

namespace assay {

// Why one transaction commits before another.
struct WeakCause {
  Rule rule;  // Session, Reads, Observed; or Missed: `from`, in the reader's view, writes the key too
  TxnId from, to;
  OpId op{};
  TxnId reader{};
};

struct CommitOrder {
  std::vector<Edge> edges;
  std::vector<WeakCause> causes;   // of the edges
  std::size_t known = 0;           // edges before this number are session order and reads, which make views
  std::optional<WeakCause> stale;  // the first reader of an initial version that has a writer in its view

  // What the history gives; the level may know no sessions.
  CommitOrder(const History& history, const ReadFacts& facts, bool session_order);

  void add(WeakCause cause) {
    causes.push_back(cause);
    edges.push_back({cause.from.value, cause.to.value});
  }

  // The reader has `seen`, which writes the key too, in its view.
  void overrule(TxnId seen, const ReadFact& read) {
    if (seen == read.writer || seen == read.reader) return;
    const WeakCause cause{Rule::Missed, seen, read.writer, read.op, read.reader};
    if (!read.writer.is_none()) add(cause);
    else if (!stale) stale = cause;  // nothing comes before the initial transaction
  }
};

}  // namespace assay
