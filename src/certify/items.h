// A history of rows and predicates as reads and writes of single keys, as docs/certificates.md says under
// "Rows and predicates": what a certificate speaks of.
//
// The search has an itemizer of its own (history/itemize.h). Nothing that it gets wrong is believed here: an
// operation that a certificate names is an item of this one.
//
// Linear in the operations, rows and values, times the keys of the read lines.
#pragma once

#include <vector>

#include "base/result.h"
#include "certify/outcomes.h"
#include "history/completion.h"
#include "history/history.h"

namespace assay {

// Whether a certificate speaks of items.
bool has_items(const History& history);
inline bool ranges_over_rows(OpKind kind) { return kind >= OpKind::Scan; }

struct ItemHistory {
  History history;                    // the same transactions, sessions and keys
  std::vector<OpId> origin;           // by item: the operation that it is part of
  RowOutcomes outcomes;               // known or supposed
  std::vector<Invisible> read_lines;  // sorted

  bool has_read_line(Invisible read) const;
};

// An error if the history means nothing, or the lines are about what they must not be about.
Result<ItemHistory> items_of(const History& history, const Completion& lines);

// Calls visit(key, value) for what the operation writes, where all outcomes are known.
template <class Visit>
void each_written(const History& h, OpId op, const RowOutcomes& outcomes, Visit visit) {
  switch (h.kind(op)) {
    case OpKind::Write:
    case OpKind::Insert: return visit(h.key(op), h.value(op));
    case OpKind::Delete:
      if (h.found(op) != false) visit(h.key(op), h.value(op));
      return;
    case OpKind::Update:
    case OpKind::UpdateMaybe:
      for (const KeyValueId row : h.rows(op))
        if (h.kind(op) == OpKind::Update || outcomes.of(op, h.key(row)) == true) visit(h.key(row), row);
      return;
    default: return;
  }
}

}  // namespace assay
