// The commit order that a weak level requires, as edges between transactions, each with its cause.
//
// The history gives the first edges: session order, reads, and the version order that lists show. Views
// (weak_views.h) add the rest. A commit order exists exactly when the edges form no cycle and no reader of an
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
  std::vector<WeakCause> causes;  // of the edges
  std::size_t known = 0;  // the edges before this number are session order and reads, which define views
  std::optional<WeakCause> stale;  // the first read of an initial version with another writer in its view

  // Adds the edges that the history gives. `session_order`: whether the level has session order.
  CommitOrder(const History& history, const ReadFacts& facts, bool session_order);

  void add(WeakCause cause) {
    causes.push_back(cause);
    edges.push_back({cause.from.value, cause.to.value});
  }

  // The reader has `seen`, which writes the key too, in its view: so `seen` precedes the writer that the read
  // is from.
  void overrule(TxnId seen, const ReadFact& read) {
    if (seen == read.writer || seen == read.reader) return;
    const WeakCause cause{Rule::Missed, seen, read.writer, read.op, read.reader};
    if (!read.writer.is_none()) add(cause);
    else if (!stale) stale = cause;  // nothing comes before the initial transaction
  }
};

}  // namespace assay
