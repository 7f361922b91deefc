// Translates a history of rows and predicates into reads and writes of single keys, the items, as
// docs/certificates.md defines under "Rows and predicates". The evidence of a certificate is about the items.
//
// The search has a translation of its own (history/itemize.h). Its defects do no harm here, because an
// operation that a certificate names is an item of this translation.
//
// Linear in the operations, rows and values, times the keys of the read lines.
#pragma once

#include <vector>

#include "base/result.h"
#include "certify/outcomes.h"
#include "history/completion.h"
#include "history/history.h"

namespace assay {

// Whether the evidence about this history is about items.
bool has_items(const History& history);
inline bool ranges_over_rows(OpKind kind) { return kind >= OpKind::Scan; }

struct ItemHistory {
  History history;                    // the same transactions, sessions and keys
  std::vector<OpId> origin;           // by item: the operation that it is part of
  RowOutcomes outcomes;               // known, or assumed by the certificate
  std::vector<Invisible> read_lines;  // sorted

  bool has_read_line(Invisible read) const;
};

// Returns an error if the history has no meaning, or the lines name operations or keys that they must not.
Result<ItemHistory> items_of(const History& history, const Completion& lines);

// Calls visit(key, value) for each write of the operation. All outcomes must be known.
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
